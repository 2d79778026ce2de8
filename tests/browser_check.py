"""Open the pages of a report in headless Chromium: the console stays empty, every table sorts, a screenshot is kept.

Usage: python tests/browser_check.py REPORT_FOLDER KEPT_FOLDER. The report is one of `verify`. A page of `conform` is made in the folder
KEPT_FOLDER: of a harness whose every answer looks like HTML. Before a browser opens them, all pages are read without one.
Exit code 0 if all is well, 1 if not, 77 if all is well but there is no Chromium on the PATH.
"""

import base64
import hashlib
import html
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

from shuffleproof.report.pages import PAGES

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_BROWSER = 77
SECONDS = 120

# Runs in a copy of the page whose policy is taken away: clicks every head twice and looks whether the column is in order both times.
PROBE = """
<script>
const collator = new Intl.Collator("en", { numeric: true }), value = t => /^[-+]?[.\\d]/.test(t) ? parseFloat(t.replace(/,/g, "")) : NaN;
const ordered = (texts, sign) => texts.every((text, at) => {
  if (!at) return true;
  const x = value(texts[at - 1]), y = value(text);
  return sign * (Number.isNaN(x) || Number.isNaN(y) ? collator.compare(texts[at - 1], text) : x - y) <= 0;
});
for (const fold of document.querySelectorAll("details")) fold.open = true;
const found = { tables: 0, clicks: 0, moved: 0, wrong: [] };
for (const table of document.querySelectorAll("table")) {
  found.tables += 1;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const texts = () => [...table.tBodies[0].rows].map(row => row.cells[column].innerText.trim());
    for (const [sign, name] of [[1, "ascending"], [-1, "descending"]]) {
      const before = texts().join();
      head.querySelector("button").click();
      found.clicks += 1;
      found.moved += texts().join() !== before;
      // Texts beside numbers have no one order, so only columns of one kind are judged.
      const kinds = new Set(texts().map(text => Number.isNaN(value(text))));
      const sorted = kinds.size !== 1 || ordered(texts(), sign);
      if (head.getAttribute("aria-sort") !== name || !sorted) found.wrong.push(head.innerText + " " + name);
    }
  });
}
const result = document.createElement("pre");
result.id = "probe";
result.textContent = JSON.stringify(found);
document.body.append(result);
</script>
"""


class Structure(HTMLParser):
    """What a page is made of. wrong: unbalanced tags, attributes that run or load something, rows that do not fit their table."""

    VOID = ("meta", "br", "input", "link")
    LOADING = ("img", "iframe", "object", "embed", "base")

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.wrong: list[str] = []
        self.headings = self.columns = self.cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        icon = (
            tag == "link"
            and [name for name, _ in attrs] == ["rel", "href"]
            and (attrs[1][1] or "").startswith("data:image/svg+xml;base64,")
        )
        if tag in self.LOADING or (tag == "link" and not icon) or any(name.startswith("on") for name, _ in attrs):
            self.wrong.append(f"a tag that runs or loads something: {tag}")
        if not icon and any(name in ("src", "href") and ":" in (value or "") for name, value in attrs):
            self.wrong.append(f"an address elsewhere: {tag}")
        if tag == "h1":
            self.headings += 1
        elif tag == "table":
            self.columns = 0
        elif tag == "tr":
            self.cells = 0
        elif tag in ("td", "th"):
            self.cells += 1
        if tag not in self.VOID:
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.opened or self.opened.pop() != tag:
            self.wrong.append(f"not balanced: </{tag}>")
        if tag == "tr":
            self.columns = self.columns or self.cells
            if self.cells != self.columns:
                self.wrong.append(f"a row of {self.cells} cells in a table of {self.columns} columns")


def misread(source: str) -> list[str]:
    """What is wrong with a page, as far as that can be seen without a browser."""
    structure = Structure()
    structure.feed(source)
    structure.close()
    wrong = structure.wrong + [f"never closed: {tag}" for tag in structure.opened]
    if structure.headings != 1:
        wrong.append(f"{structure.headings} titles")
    scripts = re.findall(r"<script>(.*?)</script>", source, re.DOTALL)
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', source)
    hashes = [base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii") for script in scripts]
    if (
        policy is None
        or len(scripts) != 1
        or f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hashes[0]}'; img-src data:" != policy[1]
    ):
        wrong.append("the policy does not hold the page to its one script")
    return wrong


def conform_page(folder: Path) -> Path:
    """A page of `conform` in a folder: every verdict is in it, and every answer looks like HTML."""
    page, harness = folder / "conform.html", Path(__file__).with_name("conformance") / "reporting" / "markup_harness.py"
    page.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "shuffleproof",
        "conform",
        "run",
        "-i",
        f"cmd:{shlex.join([sys.executable, '-S', '-E', str(harness)])}",
    ]
    subprocess.run([*command, "--suite", "fmt21", "--deadline", "2", "--report", str(page)], stdout=subprocess.DEVNULL, check=False)
    return page


def chromium(browser: str, page: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """One headless run of the browser on a local page."""
    with tempfile.TemporaryDirectory() as profile:
        command = [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={profile}",
            "--enable-logging=stderr",
            *options,
        ]
        return subprocess.run([*command, page.as_uri()], capture_output=True, text=True, timeout=SECONDS, check=True)


def console(log: str) -> list[str]:
    """What the pages wrote to the browser's console."""
    return [line for line in log.splitlines() if "CONSOLE" in line]


def judged(browser: str, page: Path) -> list[str]:
    """What is wrong with one page."""
    picture = page.with_suffix(".png")
    shot = chromium(browser, page, f"--screenshot={picture}", "--window-size=1280,1600")
    wrong = [f"console: {line}" for line in console(shot.stderr)]
    if not picture.exists():
        wrong.append("no screenshot")
    source = page.read_text("utf-8")
    without_policy, replaced = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", source)
    if replaced != 1:
        return [*wrong, "the page has no policy"]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, page.name)
        copy.write_text(without_policy.replace("</body>", PROBE + "</body>"), "utf-8")
        dump = chromium(browser, copy, "--dump-dom", "--virtual-time-budget=10000")
    wrong += [f"console: {line}" for line in console(dump.stderr)]
    answer = re.search(r'<pre id="probe">(.*?)</pre>', dump.stdout, re.DOTALL)
    if answer is None:
        return [*wrong, "the page's script did not run"]
    found = json.loads(html.unescape(answer[1]))
    print(f"{page.name}: {found['tables']} tables, {found['clicks']} clicks, {found['moved']} changed the order; picture {picture}")
    wrong += [f"not sorted: {name}" for name in found["wrong"]]
    if found["tables"] and not found["moved"]:
        wrong.append("no click changed any order: sorting was not tested")
    return wrong


def main(folder: Path, kept: Path) -> int:
    """Judge every page of a report, and one of `conform`."""
    kept.mkdir(parents=True, exist_ok=True)
    pages = [(folder / name).resolve() for name, _ in PAGES] + [conform_page(kept.resolve())]
    browser = next((path for name in NAMES if (path := shutil.which(name))), None)
    code = 0
    for page in pages:
        wrong = misread(page.read_text("utf-8")) if page.exists() else ["missing"]
        if page.exists() and browser is not None:
            wrong += judged(browser, page)
        for line in wrong:
            print(f"{page.name}: {line}")
            code = 1
    if browser is None:
        print(f"no Chromium on the PATH: {len(pages)} pages were read, and not opened in a browser")
        return code or NO_BROWSER
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
