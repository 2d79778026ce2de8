"""How the site is put together: links that are made lead somewhere, and links that lead nowhere are noticed."""

import json
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TOP / "docs"), str(TOP / "tests" / "browser")]

import site_check  # noqa: E402


def _site() -> object:
    import importlib.util

    specification = importlib.util.spec_from_file_location("site_of_the_documentation", TOP / "docs" / "site.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_ids_and_pages_become_links_and_unknown_ids_do_not(tmp_path: Path) -> None:
    documentation, report, site = (tmp_path / name for name in ("documentation", "report", "site"))
    for folder in (documentation / "guides", report / "statements", report / "papers"):
        folder.mkdir(parents=True)
    code = '<span class="pre">{}</span>'
    told = [code.format(words) for words in ("FMT21.Thm3.2", "FMT21.Thm9.9", "report/index.html", "papers/FMT21.html")]
    (documentation / "guides" / "one.html").write_text("".join(told))
    (documentation / "index.html").write_text('<a href="guides/one.html">one</a>')
    navigation = '<nav aria-label="Pages"><ul><li><a href="{}index.html">Verification</a></li></ul></nav>'
    (report / "index.html").write_text(navigation.format("") + '<a href="statements/FMT21.Thm3.2.html#x">it</a>')
    (report / "statements" / "FMT21.Thm3.2.html").write_text(navigation.format("../") + '<a href="../papers/FMT21.html#FMT21.Thm3.2">p</a>')
    (report / "statements" / "FMT21.Thm3.2.html").write_text(
        (report / "statements" / "FMT21.Thm3.2.html").read_text() + "<li>argument: clones#the-form</li><li>argument: nowhere#at-all</li>"
    )
    (documentation / "mathematics").mkdir()
    (documentation / "mathematics" / "clones.html").write_text("")
    (report / "papers" / "FMT21.html").write_text(navigation.format("../") + '<a href="../statements/FMT21.Thm3.2.html">s</a>')
    _site().build(documentation, report, site)  # type: ignore[attr-defined]
    page = (site / "guides" / "one.html").read_text()
    for target in ("../statements/FMT21.Thm3.2.html", "../report/index.html", "../papers/FMT21.html"):
        assert f'href="{target}"' in page
    assert "Thm9.9.html" not in page
    assert 'href="../mathematics/clones.html#the-form"' in (site / "statements" / "FMT21.Thm3.2.html").read_text()
    assert '<a href="../index.html">Documentation</a>' in (site / "statements" / "FMT21.Thm3.2.html").read_text()
    assert '<a href="../report/index.html">Verification</a>' in (site / "papers" / "FMT21.html").read_text()
    assert site_check.dead_links(site) == []
    (site / "papers" / "FMT21.html").unlink()
    assert "guides/one.html -> ../papers/FMT21.html" in site_check.dead_links(site)


WITHOUT_FLOATS = """
import json, sys
sys.modules.update(dict.fromkeys(("click", "hypothesis", "mpmath", "numpy", "rich", "scipy", "sympy")))
sys.path.insert(0, sys.argv[1])
from answers import answered
print(json.dumps([json.loads(answered(question)) for question in sys.argv[2:]]))
"""
"""A browser has flint and nothing else: None in sys.modules makes the import of every other package fail."""


def test_the_calculator_needs_no_package_that_a_browser_lacks() -> None:
    few = {**site_check.QUESTIONS[0], "n": "50"}
    asked = [json.dumps({"ask": "bracket", **question}) for question in (few, site_check.QUESTIONS[3])]
    told = subprocess.run(
        [sys.executable, "-c", WITHOUT_FLOATS, str(TOP / "docs" / "calculator"), *asked], capture_output=True, text=True, check=True
    )
    assert all("answer" in answer for answer in json.loads(told.stdout)), told.stdout
