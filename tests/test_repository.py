"""The repository itself under test: layers, packaging, texts, docstrings."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
LAYERS = ("shuffleproof", "spec", "impl", "proofs_check")
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))
RECIPE = (TOP / "conda" / "recipe.yaml").read_text("utf-8")
SETUPTOOLS = PROJECT["tool"]["setuptools"]

# Written in pieces, so that this file does not contain what it looks for.
FORBIDDEN = {
    "an absolute path of somebody's machine": re.compile(r"(?<![\w./-])/(?:ho" + "me|ro" + "ot|wo" + "rk|Us" + r"ers|t" + r"mp)/\w"),
    "a package registry's host": re.compile(r"(?:py" + r"pi|files\.python" + r"hosted|test\.py" + r"pi)\.org", re.IGNORECASE),
    "an issue number": re.compile(r"(?<![\w&/#])#[1-9]\d{0,4}\b(?!;)|\bissue \d+", re.IGNORECASE),
    "a note to self": re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|X" + r"XX|HA" + r"CK)\b"),
}
GENERIC_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "tools"}
STARTS_FROM_A_FLOAT = {"numerals.py", "elementary.py"}
"""Files that guess in floats where to start, and then prove where they have arrived."""
GENERATED = {"shuffleproof/conformance/vectors"}


def tracked() -> list[Path]:
    """The files that git knows or would take, no pictures; an unpacked source distribution has no git to ask, and nothing to test."""
    if not (TOP / ".git").exists():
        pytest.skip("not a git checkout")
    listing = subprocess.run(
        ["git", "-C", str(TOP), "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True, capture_output=True, text=True
    )
    return [path for name in listing.stdout.split("\0") if name and (path := TOP / name).is_file() and path.suffix != ".png"]


def texts() -> Iterator[tuple[str, str]]:
    """Name and text of every tracked text file, generated ones excepted."""
    for path in tracked():
        name = path.relative_to(TOP).as_posix()
        if not any(name.startswith(folder) for folder in GENERATED):
            yield name, path.read_text("utf-8")


def packages_on_disk() -> set[str]:
    """Every folder of a layer that holds Python files, under the name it is installed with."""
    found = set()
    for layer in LAYERS:
        for init in (TOP / layer).rglob("__init__.py"):
            if "__pycache__" not in init.parts:
                parts = init.parent.relative_to(TOP).parts
                found.add(".".join(parts if layer == "shuffleproof" else ("shuffleproof", *parts)))
    return found


def complaints(name: str, text: str) -> list[str]:
    """What a file must not contain, with the line it stands in."""
    return [
        f"{name}:{number}: {what}: {line.strip()[:80]}"
        for number, line in enumerate(text.splitlines(), 1)
        for what, pattern in FORBIDDEN.items()
        if pattern.search(line)
    ]


@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_exists_and_says_what_lives_in_it(layer: str) -> None:
    docstring = ast.get_docstring(ast.parse((TOP / layer / "__init__.py").read_text("utf-8")))
    assert docstring


def test_the_packages_in_pyproject_are_the_folders_on_disk() -> None:
    assert set(SETUPTOOLS["packages"]) == packages_on_disk()


def test_every_folder_with_python_files_is_a_package() -> None:
    folders = {path.parent for layer in LAYERS for path in (TOP / layer).rglob("*.py") if "__pycache__" not in path.parts}
    missing = [folder.relative_to(TOP).as_posix() for folder in folders if not (folder / "__init__.py").exists()]
    # The folder of a third-party harness, or of a starter, holds one script: it is data here, and a program elsewhere.
    scripts = ("shuffleproof/conformance/third_party/", "shuffleproof/conformance/starters/")
    assert [name for name in missing if not name.startswith(scripts)] == []


def crowded(paths: Iterable[Path]) -> dict[str, int]:
    """Folders with more than 25 Python files, and how many they have."""
    counts = Counter(path.parent.as_posix() for path in paths if path.suffix == ".py")
    return {folder: count for folder, count in counts.items() if count > 25}


def test_no_folder_has_more_files_than_a_reader_takes_in() -> None:
    assert crowded(path.relative_to(TOP) for path in tracked()) == {}
    assert crowded(Path("spec") / f"bound{number}.py" for number in range(26)) == {"spec": 26}


def families(paths: Iterable[Path]) -> dict[str, set[str]]:
    """Each bound by the name of its file, and the families in which it lies."""
    found: dict[str, set[str]] = {}
    for path in paths:
        if path.name != "__init__.py":
            found.setdefault(path.name, set()).add(path.parent.name)
    return found


def test_a_bound_lies_in_the_same_family_in_every_layer() -> None:
    known = families(path for layer in ("spec", "impl/ball", "impl/fast") for path in (TOP / layer / "bounds").rglob("*.py"))
    assert len(known) > 80
    assert {name: found for name, found in known.items() if len(found) > 1} == {}
    assert len(families([Path("spec/bounds/clones/pair.py"), Path("impl/ball/bounds/k_rr/pair.py")])["pair.py"]) == 2


def test_in_a_clone_no_other_copy_runs(tmp_path: Path) -> None:
    for folder, name in (("shuffleproof", "__init__.py"), ("spec", "__init__.py"), (".", "pyproject.toml")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).touch()
    program = f"import sys; sys.path[:] = [{str(TOP)!r}, *sys.path[1:]]; import shuffleproof"
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "use the clone's own environment" in ran.stderr


def test_every_data_file_of_a_layer_is_declared_as_package_data() -> None:
    declared = set()
    for package, patterns in SETUPTOOLS["package-data"].items():
        parts = package.split(".")
        folder = TOP.joinpath(*(parts[1:] if parts[1:2] and parts[1] in LAYERS else parts))
        for pattern in patterns:
            declared |= set(folder.glob(pattern))
    data = {path for path in tracked() if path.relative_to(TOP).parts[0] in LAYERS and path.suffix != ".py"}
    assert {path.relative_to(TOP).as_posix() for path in data - declared} == set()


def test_the_version_is_the_same_everywhere() -> None:
    import shuffleproof

    version = PROJECT["project"]["version"]
    assert shuffleproof.__version__ == version
    assert f"\nversion: {version}\n" in (TOP / "CITATION.cff").read_text("utf-8")
    assert f"## {version}" in (TOP / "CHANGELOG.md").read_text("utf-8")
    assert f'\n  version: "{version}"\n' in RECIPE
    assert set(re.findall(r"\d+\.\d+\.\d+", (TOP / "docs" / "cite.md").read_text("utf-8"))) == {version}


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/packaging.md"])
def test_every_page_lists_every_extra(page: str) -> None:
    text = (TOP / page).read_text("utf-8")
    extras = set(PROJECT["project"]["optional-dependencies"]) - {"test", "docs", "dev"}
    assert {extra for extra in extras if not re.search(rf"[`\[,]{extra}[`\],]", text)} == set()


def test_the_packagers_table_says_what_each_extra_brings() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .+ \| (.+) \|$", (TOP / "docs" / "packaging.md").read_text("utf-8"), re.MULTILINE)
    extras = PROJECT["project"]["optional-dependencies"]
    named = {
        extra: sorted(re.split(r"[\[>=]", each)[0] for each in extras[extra]) for extra in extras if extra not in ("test", "docs", "dev")
    }
    assert {extra: sorted(brings.split(", ")) for extra, brings in rows} == named


def test_every_paper_of_the_ledger_can_be_cited() -> None:
    cited = (TOP / "docs" / "cite.md").read_text("utf-8")
    ids = {id.partition(".")[0] for id in json.loads((TOP / "proofs_check" / "recorded.json").read_text("utf-8"))}
    assert {f"{{{id}," for id in ids - {"BEYOND"}} == set(re.findall(r"@\w+(\{[A-Z]+\d+,)", cited))
    assert (TOP / "CITATION.cff").read_text("utf-8").count("\n  - type: ") == len(ids) - 1


def test_every_target_of_make_is_in_the_table_or_said_to_be_small() -> None:
    phony = re.search(r"^\.PHONY: (.+)$", (TOP / "Makefile").read_text("utf-8"), re.MULTILINE)
    told = (TOP / "CONTRIBUTING.md").read_text("utf-8")
    assert {name for name in phony[1].split() if f"`make {name}`" not in told} == set()


def test_the_conda_recipe_asks_for_what_the_project_asks_for() -> None:
    project = PROJECT["project"]
    run = RECIPE.partition("\n  run:\n")[2].partition("\n\n")[0]
    assert re.findall(r"- (.+)", run) == [
        f"python {project['requires-python']}",
        *(name.replace(">", " >") for name in project["dependencies"]),
    ]
    host = RECIPE.partition("\n  host:\n")[2].partition("\n  run:\n")[0]
    assert re.findall(r"- (.+)", host) == [
        f"python {project['requires-python']}",
        "pip",
        *(name.replace(">", " >") for name in PROJECT["build-system"]["requires"]),
    ]
    assert all(f"- {name} = {target}\n" in RECIPE for name, target in project["scripts"].items())
    assert f"license: {project['license']}\n" in RECIPE


def test_texts_name_no_machine_no_registry_and_no_ticket() -> None:
    found = [complaint for name, text in texts() for complaint in complaints(name, text)]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "see /ho" + "me/somebody/x",
        "cd /wo" + "rk/x",
        "https://py" + "pi.org/simple",
        "as asked in iss" + "ue 17",
        "(#" + "12)",
        "# TO" + "DO: later",
    ],
)
def test_a_forbidden_text_is_noticed(line: str) -> None:
    assert complaints("example", line) != []


def test_no_module_has_a_name_that_says_nothing() -> None:
    parts = {part for path in tracked() for part in (*path.relative_to(TOP).parts[:-1], path.stem)}
    assert parts & GENERIC_NAMES == set()


def test_files_are_utf8_with_unix_line_ends_and_a_final_newline() -> None:
    wrong = [name for name, text in texts() if "\r" in text or (text and not text.endswith("\n"))]
    assert wrong == []


def public_definitions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Public functions and classes of a module, and the public methods of its public classes."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                for member in node.body:
                    if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                        yield member


def is_overload(node: ast.FunctionDef | ast.ClassDef) -> bool:
    return any(isinstance(decorator, ast.Name) and decorator.id == "overload" for decorator in node.decorator_list)


def is_ledger_check(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether a function is a check of the ledger: what it means is said by its decorator."""
    called = [decorator.func for decorator in node.decorator_list if isinstance(decorator, ast.Call)]
    return any(isinstance(function, ast.Name) and function.id in ("statement", "derived", "recalled") for function in called)


@pytest.mark.parametrize("layer", LAYERS)
def test_everything_public_has_a_docstring(layer: str) -> None:
    files = [path for path in (TOP / layer).rglob("*.py") if "__pycache__" not in path.parts]
    assert files
    missing = []
    for path in files:
        tree = ast.parse(path.read_text("utf-8"))
        name = path.relative_to(TOP).as_posix()
        if ast.get_docstring(tree) is None:
            missing.append(name)
        for node in public_definitions(tree):
            if ast.get_docstring(node) is None and not is_overload(node) and not is_ledger_check(node):
                missing.append(f"{name}: {node.name}")
    assert missing == []


def test_the_specification_computes_without_floats() -> None:
    """A float literal in a formula would be an approximation that nobody stated."""
    files = [path for path in (TOP / "spec").rglob("*.py") if path.name not in STARTS_FROM_A_FLOAT]
    assert files
    floats = [
        f"{path.relative_to(TOP).as_posix()}:{node.lineno}"
        for path in files
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, float)
    ]
    assert floats == []


HEAVY = {
    "flint",
    "mpmath",
    "numpy",
    "rich",
    "scipy",
    "sympy",
    "jsonschema",
    "hypothesis",
    "jinja2",
    "pyarrow",
    "matplotlib",
    "pandas",
    "dask",
}


@pytest.mark.parametrize(
    "begun", ["import shuffleproof", "import shuffleproof.command_line.program", "import shuffleproof.command_line.verbs"]
)
def test_importing_the_package_pulls_in_nothing_heavy(begun: str) -> None:
    """The command line included, so that help and errors are quick; seconds belong to `bench/`."""
    program = f"{begun}; import sys; print(*sys.modules)"
    modules = set(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split())
    assert HEAVY & modules == set()


CLOCKS = {"time", "monotonic", "perf_counter", "process_time", "thread_time", "perf_counter_ns", "process_time_ns", "monotonic_ns"}


def timed_assertions(source: str) -> list[int]:
    """Lines of assertions that a clock is less than something, or that compare a difference of one; a guard against waiting for ever is
    told by the name `deadline` or `until` that it compares with."""
    tree, found = ast.parse(source), []
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.Module)):
            continue
        clocks = {
            target.id
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and any(reads_clock(part) for part in ast.walk(node.value))
            for target in node.targets
            if isinstance(target, ast.Name)
        } - {"deadline", "until"}
        for node in ast.walk(function):
            if isinstance(node, ast.Assert):
                names = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
                if names & clocks or (any(reads_clock(part) for part in ast.walk(node.test)) and not names & {"deadline", "until"}):
                    found.append(node.lineno)
    return sorted(set(found))


def reads_clock(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CLOCKS


def test_no_test_asserts_how_long_something_takes() -> None:
    """On a slow or a busy machine it would accuse nobody."""
    wrong = {
        str(path.relative_to(TOP)): lines
        for path in sorted((TOP / "tests").rglob("*.py"))
        if "deep" not in path.parts and (lines := timed_assertions(path.read_text("utf-8")))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    began = time.monotonic()\n    g()\n    assert time.monotonic() - began < 5",
        "def f():\n    began = time.process_time()\n    g()\n    seconds = time.process_time() - began\n    assert seconds < 1",
        "def f():\n    assert time.perf_counter() < 7",
    ],
)
def test_an_assertion_on_seconds_is_found(source: str) -> None:
    assert timed_assertions(source)


def test_the_scripts_are_executable() -> None:
    assert os.access(TOP / ".ci" / "run", os.X_OK)


def test_the_readme_shows_the_two_commands() -> None:
    readme = (TOP / "README.md").read_text("utf-8")
    assert "make verify" in readme
    assert "make test" in readme


def test_the_constraints_pin_every_dependency_that_is_declared() -> None:
    project = PROJECT["project"]
    declared = [*project["dependencies"], *(name for extra in project["optional-dependencies"].values() for name in extra)]
    pinned = {line.partition("==")[0].lower() for line in (TOP / "constraints.txt").read_text("utf-8").splitlines() if "==" in line}
    assert {re.split(r"[<>=!~ \[]", name)[0].lower() for name in declared} - pinned == {"shuffleproof"}


def test_every_long_test_is_one() -> None:
    listed = [line for line in (TOP / "tests" / "long_tests.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    assert listed == sorted(set(listed))
    for name in listed:
        path, _, function = name.partition("[")[0].partition("::")
        assert re.search(rf"^def {function}\(", (TOP / path).read_text("utf-8"), re.MULTILINE), name
