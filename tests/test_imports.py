"""Who may import whom: agreement between two layers is evidence only as long as neither is computed by the other."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
PACKAGE = "shuffleproof"
LAYERS = {"shuffleproof": PACKAGE, **{layer: f"{PACKAGE}.{layer}" for layer in ("spec", "impl", "proofs_check")}}
DISTRIBUTIONS = {
    "attr": "attrs",
    "flint": "python-flint",
    "dp_accounting": "dp-accounting",
    "sklearn": "scikit-learn",
    "distributed": "dask",
}
"""Importable name -> the name it is installed under, where they differ."""
VOCABULARY = (f"{PACKAGE}.spec.vocabulary",)
ENVIRONMENT_OF_ITS_OWN = f"{PACKAGE}.conformance.third_party.*.harness"

RULES: dict[str, tuple[str, ...]] = {
    f"{PACKAGE}.spec": (f"{PACKAGE}.spec", "mpmath"),
    f"{PACKAGE}.impl.fast": (f"{PACKAGE}.impl.fast", *VOCABULARY, "numpy", "scipy"),
    f"{PACKAGE}.impl.ball": (f"{PACKAGE}.impl.ball", *VOCABULARY, "flint"),
    # Another package's exact samplers, for those who prefer them (extra `opendp`).
    f"{PACKAGE}.impl.release.noise": (f"{PACKAGE}.impl.release", *VOCABULARY, "numpy", "opendp"),
    f"{PACKAGE}.impl.exact": (f"{PACKAGE}.impl.exact", *VOCABULARY, "flint"),
    # Samplers for real data: certified arithmetic only, so that no float can decide an outcome; numpy holds counts.
    f"{PACKAGE}.impl.release": (f"{PACKAGE}.impl.release", f"{PACKAGE}.impl.ball", *VOCABULARY, "flint", "numpy"),
    f"{PACKAGE}.proofs_check": (
        f"{PACKAGE}.proofs_check",
        f"{PACKAGE}.spec",
        f"{PACKAGE}.impl",
        *("flint", "hypothesis", "mpmath", "numpy", "scipy", "sympy"),
    ),
    f"{PACKAGE}.conformance": (f"{PACKAGE}.conformance", *VOCABULARY, "jsonschema", "referencing"),
    f"{PACKAGE}.conformance.catalogue.answers": (f"{PACKAGE}.conformance", f"{PACKAGE}.spec", f"{PACKAGE}.impl.ball"),
    # The methods by name: only those of exact arithmetic and balls are asked of them.
    f"{PACKAGE}.conformance.catalogue.generate": (f"{PACKAGE}.conformance", f"{PACKAGE}.spec", f"{PACKAGE}.methods"),
    # The truth about named randomizers is the library's own answer, so that no vector lags behind it.
    f"{PACKAGE}.conformance.catalogue.shuffled_truth": (
        *(f"{PACKAGE}.conformance", f"{PACKAGE}.spec", f"{PACKAGE}.methods", f"{PACKAGE}.mechanisms"),
    ),
    # The truth about inputs that no vector stores, by the same two.
    f"{PACKAGE}.conformance.catalogue.truth": (f"{PACKAGE}.conformance", f"{PACKAGE}.spec", f"{PACKAGE}.methods"),
    f"{PACKAGE}.conformance.audit": (f"{PACKAGE}.conformance", f"{PACKAGE}.spec", f"{PACKAGE}.impl.ball", f"{PACKAGE}.impl.exact"),
    # A harness for a third-party package runs in that package's environment, where this one is not installed.
    ENVIRONMENT_OF_ITS_OWN: (*("autodp", "dp_accounting", "numpy", "opendp", "random_allocation", "scipy", "serving"),),
    PACKAGE: (PACKAGE, "click", "rich", "numpy"),
    # Pages come from templates, imported when one is made.
    f"{PACKAGE}.report": (PACKAGE, "click", "rich", "jinja2", "markupsafe"),
    # A plugin of pytest: nobody loads it who has no pytest.
    f"{PACKAGE}.pytest_plugin": (PACKAGE, "pytest"),
    # Extras, each imported by the one place that needs it.
    f"{PACKAGE}.mechanisms.brackets": (PACKAGE, "numpy", "matplotlib"),
    f"{PACKAGE}.claims.judging": (PACKAGE, "matplotlib"),
    f"{PACKAGE}.planning.composed": (PACKAGE, "matplotlib"),
    f"{PACKAGE}.claims.region": (PACKAGE, "matplotlib"),
    f"{PACKAGE}.spec.vocabulary.tables": (f"{PACKAGE}.spec", "matplotlib", "pandas"),
    f"{PACKAGE}.accounting.dp_accounting": (PACKAGE, "attr", "numpy", "dp_accounting"),
    f"{PACKAGE}.measurement": (PACKAGE, "opendp"),
    f"{PACKAGE}.renyi_accounting": (PACKAGE, "autodp"),
    # Formulas of other people's are evaluated in ball arithmetic.
    f"{PACKAGE}.claims": (PACKAGE, "flint"),
    f"{PACKAGE}.data": (PACKAGE, "numpy", "pyarrow"),
    f"{PACKAGE}.planning.sweep": (PACKAGE, "click", "distributed"),
    # The one figure on a data set that comes with a package.
    f"{PACKAGE}.figures.shuffled_sgd": (PACKAGE, "numpy", "sklearn"),
    f"{PACKAGE}.figures": (PACKAGE, "click", "numpy", "matplotlib"),
}
"""Module, or everything below it -> what it may import beside the standard library. The longest matching rule holds."""

_COMPUTING = (
    "audit",
    *(f"catalogue.{name}" for name in ("answers", "generate", "own_cases", "shuffled_truth", "truth")),
    "searching.search",
)
NEVER_FROM_JUDGE_OR_RUNNER = tuple(f"{PACKAGE}.conformance.{name}" for name in _COMPUTING)


def module_name(path: Path) -> str:
    """The dotted name under which a file of the repository is installed."""
    layer, *inside = path.relative_to(TOP).with_suffix("").parts
    parts = [LAYERS[layer], *inside]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imported(source: str, *, module: str, is_package: bool) -> tuple[str, ...]:
    """Read a source text once; see `_imported`."""
    return tuple(_imported(source, module=module, is_package=is_package))


def _imported(source: str, *, module: str, is_package: bool) -> Iterator[str]:
    """Every module that a source text imports, at the top, inside a function or by `optional`; members too, which may be modules."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "optional":
            (module_asked,) = node.args
            assert isinstance(module_asked, ast.Constant), "optional() is called with the name itself, so that it can be read here"
            yield str(module_asked.value)


def below(name: str, prefix: str) -> bool:
    """Whether a dotted name is the prefix or lies below it; one "*" in the prefix stands for one part."""
    parts, wanted = name.split("."), prefix.split(".")
    return len(parts) >= len(wanted) and all(other in (part, "*") for part, other in zip(parts, wanted, strict=False))


def violations(source: str, *, module: str, is_package: bool = False) -> list[str]:
    """The imports in a source text that the rules do not allow to a module of this name."""
    rule = max((prefix for prefix in RULES if below(module, prefix)), key=lambda prefix: prefix.count("."))
    allowed = RULES[rule]
    found = []
    for name in imported(source, module=module, is_package=is_package):
        top = name.partition(".")[0]
        if top == "importlib" and below(module, f"{PACKAGE}.impl"):
            found.append(f"{module} imports {name}: a name made at run time would escape these rules")
        if top in sys.stdlib_module_names:
            continue
        if not any(below(name, prefix) for prefix in allowed):
            found.append(f"{module} may not import {name}")
        if module in (f"{PACKAGE}.conformance.judging.judge", f"{PACKAGE}.conformance.running.runner"):
            found += [f"{module} may not see how vectors are made: {name}" for prefix in NEVER_FROM_JUDGE_OR_RUNNER if below(name, prefix)]
    return found


def files_of(layer: str) -> list[Path]:
    return sorted(path for path in (TOP / layer).rglob("*.py") if "__pycache__" not in path.parts)


@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_imports_only_what_it_may(layer: str) -> None:
    files = files_of(layer)
    assert files, f"no files found in {layer}: the rule was not tested"
    wrong = [
        line
        for path in files
        for line in violations(path.read_text("utf-8"), module=module_name(path), is_package=path.name == "__init__.py")
    ]
    assert wrong == []


def test_every_package_that_is_imported_is_declared_as_a_dependency() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [
        requirement
        for name in ("accounting", "autodp", "data", "learning", "opendp", "pandas", "plot", "sweep", "verify")
        for requirement in project["optional-dependencies"][name]
    ]
    declared = {re.split(r"[<>=!~ \[]", requirement)[0] for requirement in [*project["dependencies"], *extras, "pytest"]}
    found = set()
    for path in (path for layer in LAYERS for path in files_of(layer)):
        module = module_name(path)
        if not below(module, ENVIRONMENT_OF_ITS_OWN):
            found |= {
                name.partition(".")[0] for name in imported(path.read_text("utf-8"), module=module, is_package=path.name == "__init__.py")
            }
    packages = {DISTRIBUTIONS.get(name, name) for name in found - set(sys.stdlib_module_names) - {PACKAGE}}
    assert packages == declared


def imports_of_the_house() -> dict[str, set[str]]:
    """For every module the modules of ours that it imports, in functions and for types too."""
    files = {module_name(path): path for layer in LAYERS for path in files_of(layer)}
    graph: dict[str, set[str]] = {}
    for name, path in files.items():
        found = imported(path.read_text("utf-8"), module=name, is_package=path.name == "__init__.py")
        meant = (each if each in files else each.rpartition(".")[0] for each in found)
        graph[name] = {each for each in meant if each in files and each != name}
    return graph


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Modules that import each other all around, or nothing."""
    done: set[str] = set()
    for start in sorted(graph):
        way: list[str] = []
        left = [(start, iter(sorted(graph[start])))] if start not in done else []
        way += [start] if left else []
        while left:
            module, further = left[-1]
            after = next((each for each in further if each not in done), None)
            if after is None:
                done.add(module)
                left.pop()
                way.pop()
            elif after in way:
                return [*way[way.index(after) :], after]
            else:
                left.append((after, iter(sorted(graph[after]))))
                way.append(after)
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = imports_of_the_house()
    assert len(graph) > 700
    assert circle(graph) == []


def test_a_circle_of_imports_is_noticed() -> None:
    """Mutant: the lowest of three imports the highest, inside a function."""
    graph = imports_of_the_house()
    low, high = f"{PACKAGE}.answering", f"{PACKAGE}.accounting.rounds"
    (back,) = (name.rpartition(".")[0] for name in imported(f"def f():\n    from {high} import Rounds", module=low, is_package=False))
    graph[low].add(back)
    found = circle(graph)
    assert found[0] == found[-1]
    assert {low, high} <= set(found)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (f"{PACKAGE}.spec.distribution", "import numpy"),
        (f"{PACKAGE}.spec.distribution", "def f():\n    from flint import arb"),
        (f"{PACKAGE}.spec.distribution", f"from {PACKAGE}.impl.ball.bounds import clones"),
        (f"{PACKAGE}.spec.bounds.clones.clones", f"from {PACKAGE} import epsilon"),
        (f"{PACKAGE}.impl.fast.bounds.clones.clones", f"from {PACKAGE}.spec.bounds import clones"),
        (f"{PACKAGE}.impl.fast.bounds.clones.clones", f"from {PACKAGE}.spec import distribution"),
        (f"{PACKAGE}.impl.fast.bounds.clones.clones", f"from {PACKAGE}.impl.ball.bounds import clones"),
        (f"{PACKAGE}.impl.fast.bounds.clones.clones", "from ....ball.bounds import clones"),
        (f"{PACKAGE}.impl.ball.bounds.clones.clones", f"import {PACKAGE}.impl.fast.bounds.clones.clones"),
        (f"{PACKAGE}.impl.ball.bounds.clones.clones", "import importlib"),
        (f"{PACKAGE}.impl.ball.bounds.clones.clones", "import numpy"),
        (f"{PACKAGE}.proofs_check.ledger", f"from {PACKAGE}.conformance.judging import judge"),
        (f"{PACKAGE}.proofs_check.ledger", f"from {PACKAGE}.bounds import epsilon"),
        (f"{PACKAGE}.conformance.judging.judge", f"from {PACKAGE}.impl.ball.bounds import clones"),
        (f"{PACKAGE}.conformance.judging.judge", f"from {PACKAGE}.spec.bounds import clones"),
        (f"{PACKAGE}.conformance.running.runner", f"from {PACKAGE}.conformance.catalogue import generate"),
        (f"{PACKAGE}.conformance.third_party.opendp.harness", f"from {PACKAGE}.spec.vocabulary.numerals import count"),
    ],
)
def test_a_forbidden_import_is_noticed(module: str, source: str) -> None:
    assert violations(source, module=module) != []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (f"{PACKAGE}.spec.bounds.clones.clones", "from mpmath import mp\nfrom fractions import Fraction"),
        (f"{PACKAGE}.impl.fast.bounds.clones.clones", f"import numpy as np\nfrom {PACKAGE}.spec.vocabulary.bound import Bound"),
        (f"{PACKAGE}.conformance.catalogue.generate", f"from {PACKAGE}.methods import method_named"),
        (f"{PACKAGE}.conformance.third_party.opendp.harness", "import opendp.prelude as dp"),
    ],
)
def test_an_allowed_import_passes(module: str, source: str) -> None:
    assert violations(source, module=module) == []


@pytest.mark.parametrize("checkout", [True, False])
def test_a_checkout_runs_its_own_code_whichever_copy_is_installed(tmp_path: Path, checkout: bool) -> None:
    """Mutant: without its project file it is no checkout, and what is installed is found."""
    for package in ("shuffleproof", "spec"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("", "utf-8")
    (tmp_path / PACKAGE / "__init__.py").write_text((TOP / PACKAGE / "__init__.py").read_text("utf-8"), "utf-8")
    if checkout:
        (tmp_path / "pyproject.toml").write_text("", "utf-8")
    code = f"import {PACKAGE}.spec as spec; print(spec.__file__)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (Path(ran.stdout.strip()) == tmp_path / "spec" / "__init__.py") is checkout


def test_compare_loads_only_what_it_asks() -> None:
    """All nine methods that speak of Laplace noise answer, and nearly every file that is loaded is run; a docstring alone counts not."""
    asked = ["compare", "--randomizer", "laplace", "--eps0", "1", "-n", "10000", "--delta", "1e-6"]
    code = f"""
import contextlib, io, sys
from {PACKAGE}.command_line.program import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main({asked})
files = [module.__file__ for name, module in sys.modules.items() if name.partition(".")[0] == "{PACKAGE}"]
print(sum(len(open(file).readlines()) > 1 for file in files))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(ran.stdout) <= 79
