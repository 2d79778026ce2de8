"""Open the pages of a report in headless Chromium: the console stays empty, every table sorts, a screenshot is kept.

Usage: python tests/browser_check.py REPORT_FOLDER. Exit code 0 if all is well, 1 if not, 77 if there is no Chromium on the PATH.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from shuffleproof.html_page import PAGES

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


def main(folder: Path) -> int:
    """Judge every page of a report."""
    browser = next((path for name in NAMES if (path := shutil.which(name))), None)
    if browser is None:
        print("no Chromium on the PATH: the pages were not opened")
        return NO_BROWSER
    code = 0
    for name, _ in PAGES:
        page = (folder / name).resolve()
        for line in judged(browser, page) if page.exists() else ["missing"]:
            print(f"{name}: {line}")
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
