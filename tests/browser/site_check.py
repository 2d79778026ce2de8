"""Judge a built site: every kind of page in headless Chromium without a network, and the calculator against CPython.

Usage: python tests/browser/site_check.py SITE_FOLDER KEPT_FOLDER [ALL]. Pictures stay in KEPT_FOLDER. Exit code 0 if all is well, 1 if not,
77 if all that could be looked at is well, but node, npm, a Chromium or the network to fetch what drives it is missing.
"""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NOT_HERE = 77
QUESTIONS = (
    {"randomizer": "any", "n": "1000000", "epsilon0": "1", "delta": "1e-6", "digits": "15"},
    {"randomizer": "krr", "n": "1000", "epsilon0": "ln 3", "delta": "1e-6", "k": "10", "digits": "9"},
    {"randomizer": "laplace", "n": "300", "epsilon0": "1/2", "delta": "1e-5", "digits": "9"},
    {"randomizer": "subset", "n": "12", "epsilon0": "2", "delta": "0.01", "k": "5", "d": "2", "digits": "12"},
)
REFUSED = {"randomizer": "any", "n": "0", "epsilon0": "1", "delta": "1e-6", "digits": "9"}
PAGES = (
    *("index.html", "calculator.html", "methods.html", "glossary.html", "trust.html", "formal.html", "reference/python.html"),
    *("generated/command-line.html", "guides/derive-a-bound.html", "mathematics/any-distribution.html"),
    "notebooks/tour.html",
    *("report/index.html", "report/errata.html", "report/readings.html", "report/tables.html"),
    *("statements/FMT21.Thm3.2.html", "statements/BC20.Clm4.2.html", "papers/FMT21.html"),
)


def of_calculator(name: str) -> Any:
    """A module of docs/calculator, which is no package."""
    specification = importlib.util.spec_from_file_location(name, TOP / "docs" / "calculator" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def differences(here: list[Any], there: list[Any]) -> list[str]:
    """Where CPython and the calculator's Python do not answer the same, to the last character."""
    if len(here) != len(there):
        return [f"{len(here)} answers here, {len(there)} there"]
    return [f"CPython says {one}, the calculator {other}" for one, other in zip(here, there, strict=True) if one != other]


def under_node(parts: Path, kept: Path) -> tuple[list[str], list[Any]]:
    """Ask the same questions of both; what differs, and CPython's answers."""
    asked = [{"ask": "bracket", **given} for given in (*QUESTIONS, REFUSED)]
    asked += [{"ask": "point", **QUESTIONS[0], "n": "1000", "upper": "stronger-clones", "lower": "k-rr-pair"}]
    answered = of_calculator("answers").answered
    here = [json.loads(answered(json.dumps(question))) for question in asked]
    (kept / "questions.json").write_text(json.dumps(asked), "utf-8")
    told = subprocess.run(["node", str(HERE / "calculator.mjs"), str(parts), str(kept / "questions.json")], capture_output=True, text=True)
    if told.returncode:
        # Node prints the source line of its own runtime first, which is megabytes long.
        return [f"the calculator fails under node: {told.stderr.strip()[-1500:]}"], here
    return differences(here, json.loads(told.stdout.splitlines()[-1])), here


def expected(answer: dict[str, Any]) -> list[str]:
    """What the page must show of an answer."""
    if "refused" in answer:
        return [answer["refused"]]
    sides = answer["answer"]["sides"].values()
    return [words for side in sides for words in (side["value"], side["method"], *side["statements"], side["command"], side["claim"])] + [
        answer["answer"]["sides"]["upper"]["scope"]
    ]


def driver() -> Path | None:
    """A folder in which what drives the browser is installed, as it is pinned."""
    folder = TOP / "build" / "browser"
    folder.mkdir(parents=True, exist_ok=True)
    pinned = (HERE / "package-lock.json").read_text("utf-8")
    lock = folder / "package-lock.json"
    if not (folder / "node_modules").exists() or not lock.exists() or lock.read_text("utf-8") != pinned:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, folder)
        try:
            done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True)
        except FileNotFoundError:
            return None
        if done.returncode:
            shutil.rmtree(folder / "node_modules", ignore_errors=True)
            print(done.stderr[-300:])
            return None
    return folder


def dead_links(site: Path) -> list[str]:
    """Links within the site that lead nowhere, as "page -> target"."""
    dead = []
    for page in sorted(site.rglob("*.html")):
        text = page.read_text("utf-8")
        for target in set(re.findall(r'(?:href|src)="([^"#?:]+)["#?]', text)):
            if not (page.parent / target).exists():
                dead.append(f"{page.relative_to(site)} -> {target}")
    return dead


PLANTED = """<!doctype html><html lang="en"><head><title>planted</title></head><body><a href="#nowhere">first</a>
<img src="missing.png"><div style="width: 3000px">wide</div><p style="color: #eee; background: #fff">pale</p>
<script>console.error("planted"); fetch("http://elsewhere.invalid/").catch(() => 0);</script></body></html>"""
BROKEN = """<!doctype html><html lang="en"><head><title>broken</title></head><body><p id="calculator-status">Python does not start</p>
<form id="bracket-form" data-state="broken" onsubmit="return false"></form></body></html>"""
MUST_FIND = (
    *("image-alt", "color-contrast", "wider than the window", "no landmark", "console: planted", "asks elsewhere", "first stop"),
    r"the calculator is \"broken\" and says \"Python does not start\"",
)


def unnoticed(browser: str, folder: Path, kept: Path) -> list[str]:
    """Faults of a planted page that the browser's script does not find."""
    planted = kept / "planted"
    planted.mkdir(exist_ok=True)
    (planted / "planted.html").write_text(PLANTED, "utf-8")
    (planted / "calculator.html").write_text(BROKEN, "utf-8")
    job = {"browser": browser, "folder": str(planted.resolve()), "kept": str(kept.resolve()), "pages": [{"name": "planted.html"}]}
    job |= {"calculator": [{"given": {}, "expected": []}]}
    (kept / "planted.json").write_text(json.dumps({**job, "widths": [390], "schemes": ["light"]}), "utf-8")
    told = subprocess.run(
        ["node", str(HERE / "pages.mjs"), str((kept / "planted.json").resolve())], cwd=folder, capture_output=True, text=True
    ).stdout
    return [words for words in MUST_FIND if words not in told]


def main(site: Path, kept: Path) -> int:
    """Judge the site."""
    kept.mkdir(parents=True, exist_ok=True)
    parts = site / "_static" / "calculator" / "parts"
    missing = [name for name in PAGES if not (site / name).exists()] + dead_links(site)
    code = 0
    for name in missing:
        print(f"missing: {name}")
        code = 1
    calculator: list[dict[str, Any]] = []
    if parts.exists() and shutil.which("node"):
        wrong, here = under_node(parts, kept)
        for line in wrong:
            print(f"calculator under node: {line}")
            code = 1
        print(f"calculator under node: {len(here)} answers, {len(wrong)} differ from CPython's")
        calculator = [{"given": given, "expected": expected(told)} for given, told in zip((*QUESTIONS, REFUSED), here, strict=False)]
        calculator = [*calculator[-1:], *calculator[:-1]]
    browser = next((path for name in NAMES if (path := shutil.which(name))), None)
    folder = driver() if browser and shutil.which("node") else None
    if browser is None or folder is None:
        print("no browser, or nothing to drive it: the site was not opened")
        return code or NOT_HERE
    for words in unnoticed(browser, folder, kept):
        print(f"a planted fault is not noticed: {words}")
        code = 1
    pages = [{"name": name, "picture": name.removesuffix(".html").replace("/", "-")} for name in PAGES if name not in missing]
    job = {"browser": browser, "folder": str(site.resolve()), "kept": str(kept.resolve()), "pages": pages, "calculator": calculator}
    (kept / "job.json").write_text(json.dumps(job), "utf-8")
    done = subprocess.run(["node", str(HERE / "pages.mjs"), str((kept / "job.json").resolve())], cwd=folder, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        found = json.loads(line)
        print(f"{found['page']}: {found['what']}")
        code = 1
    if done.returncode:
        print(done.stderr[-2000:])
        code = 1
    print(f"{len(pages)} pages at 1300 and 390 px, light and dark; pictures in {kept}")
    return code if calculator else code or NOT_HERE


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
