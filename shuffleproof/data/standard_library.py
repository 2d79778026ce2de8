"""A real, heterogeneous data set that every machine has: modules (or functions) of Python's standard library, and their words.

A user's words are those of its docstrings and of its identifiers, split where names are put together, in lower case. The same
interpreter version gives the same data; other versions give similar ones.
"""

import ast
import keyword
import platform
import random
import re
import sysconfig
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shuffleproof.spec.vocabulary.errors import UnsupportedError, require

# Tests, bundled applications, and what distributors put into packages of their own: not the same on every machine.
_LEFT_OUT = {"__pycache__", "dist-packages", "distutils", "ensurepip", "idlelib", "lib2to3", "site-packages", "test", "tests", "tkinter"}
_LEFT_OUT |= {"turtledemo"}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SHORTEST = 2
"""Letters of the shortest word that counts."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DOCUMENTED = (ast.Module, ast.ClassDef, *_FUNCTIONS)
_NAMED: dict[type[ast.AST], str] = {
    ast.Name: "id",
    ast.Attribute: "attr",
    ast.arg: "arg",
    ast.keyword: "arg",
    ast.alias: "name",
    ast.ClassDef: "name",
    ast.FunctionDef: "name",
    ast.AsyncFunctionDef: "name",
}

Users = Literal["modules", "functions"]


@dataclass(frozen=True)
class WordCounts:
    """Which user uses which word how often.

    kind: whether a user is a module, or one of its functions or methods; users: names, sorted; words: by falling total, then
    alphabetically; user, item: indices into them; count: at least 1, one for each pair that occurs.
    """

    kind: Users
    users: tuple[str, ...]
    words: tuple[str, ...]
    user: NDArray[np.int64]
    item: NDArray[np.int64]
    count: NDArray[np.int64]

    def of_word(self, word: str) -> NDArray[np.int64]:
        """How often each user uses one word. Raises DomainError for a word that does not occur."""
        require(word in self.words, parameter="word", value=word, requirement="a word of the data set")
        chosen = self.item == self.words.index(word)
        counts = np.zeros(len(self.users), dtype=np.int64)
        counts[self.user[chosen]] = self.count[chosen]
        return counts

    def __str__(self) -> str:
        return (
            f"{len(self.users)} {self.kind} of the standard library of Python {platform.python_version()}, "
            f"{len(self.words)} words, {int(self.count.sum())} occurrences"
        )


def word_counts(users: Users = "modules") -> WordCounts:
    """The words of this interpreter's standard library.

    users: a module with everything in it, or every function of a module and method of a class on its own, which makes some twenty
    times as many users with less data each. Raises UnsupportedError where the library's sources are not installed.
    """
    return _both()[users]


@lru_cache(maxsize=1)
def _both() -> dict[Users, WordCounts]:
    top = Path(sysconfig.get_path("stdlib"))
    modules: dict[str, Counter[str]] = {}
    functions: dict[str, Counter[str]] = {}
    for name, path in sorted(library_modules(top)):
        modules[name] = Counter()
        for owner, word in words(path.read_bytes()):
            modules[name][word] += 1
            if owner:
                functions.setdefault(f"{name}:{owner}", Counter())[word] += 1
    if not modules:
        raise UnsupportedError(
            what="the standard library as data", reason=f"there are no sources in {top}", advice="install Python's library sources"
        )
    return {"modules": _table("modules", modules), "functions": _table("functions", functions)}


def _table(kind: Users, counted: dict[str, Counter[str]]) -> WordCounts:
    totals: Counter[str] = Counter()
    for of_user in counted.values():
        totals.update(of_user)
    ranked = sorted(totals, key=lambda word: (-totals[word], word))
    place = {word: at for at, word in enumerate(ranked)}
    names = sorted(counted)
    entries = [(user, place[word], times) for user, name in enumerate(names) for word, times in sorted(counted[name].items())]
    user, item, count = np.array(entries, dtype=np.int64).reshape(-1, 3).T
    return WordCounts(kind, tuple(names), tuple(ranked), user, item, count)


def words(source: bytes) -> Iterator[tuple[str, str]]:
    """(owner, word) for the words of one module's docstrings and identifiers, in lower case, two letters or more each.

    owner: the function or method, as "function" or "Class.method", with what is defined inside it; "" outside of all. Nothing where
    the source does not parse.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    waiting: list[tuple[ast.AST, str, str]] = [(tree, "", "")]
    while waiting:
        node, owner, path = waiting.pop()
        if isinstance(node, _FUNCTIONS) and not owner:
            owner = path + node.name
        elif isinstance(node, ast.ClassDef):
            path += node.name + "."
        attribute = _NAMED.get(type(node))
        texts = [getattr(node, attribute)] if attribute else []
        if isinstance(node, _DOCUMENTED):
            texts.append(ast.get_docstring(node, clean=False))
        for text in texts:
            for word in _WORD.findall(text or ""):
                if len(word) >= _SHORTEST:
                    yield owner, word.lower()
        waiting += [(child, owner, path) for child in ast.iter_child_nodes(node)]


def library_modules(top: Path) -> Iterator[tuple[str, Path]]:
    """(name, file) of the standard library's modules below a folder, without those that differ from machine to machine."""
    for path in top.rglob("*.py"):
        inside = path.relative_to(top)
        if not _LEFT_OUT & set(inside.parts[:-1]) and not path.name.startswith("_sysconfigdata"):
            yield ".".join(inside.with_suffix("").parts), path


NAME = "stdlib-identifiers"
SAMPLE = 100_000
"""Occurrences that are drawn, unless others are asked for."""
PROTECTS = "one occurrence of an identifier, not a module, whose occurrences are many"


def described() -> str:
    """The data set in words, with everything that it takes to make it again."""
    version = platform.python_version()
    return f"{SAMPLE} occurrences of identifiers in the standard library of Python {version}, sampled without replacement, seed 0"


def identifiers(*, sample: int = SAMPLE, seed: int = 0, top: Path | None = None) -> list[str]:
    """A sample of the occurrences, drawn without replacement; the same for the same interpreter version and seed.

    sample: how many, at least 1 and at most as many as there are; top: a folder of sources, the standard library's if None.
    Raises DomainError; UnsupportedError where the sources are not installed.
    """
    require(sample >= 1, parameter="sample", value=sample, requirement="an integer of at least 1")
    found = list(occurrences(top))
    if not found:
        reason = "its sources are not there"
        raise UnsupportedError(what="the standard library as data", reason=reason, advice="install Python's library sources")
    require(sample <= len(found), parameter="sample", value=sample, requirement=f"at most the {len(found)} occurrences that there are")
    return random.Random(seed).sample(found, sample)


def occurrences(top: Path | None = None) -> Iterator[str]:
    """Every identifier of every module, in the order of the names of the modules and then of the text; keywords are not identifiers."""
    folder = Path(sysconfig.get_path("stdlib")) if top is None else top
    for _, path in sorted(library_modules(folder)):
        try:
            with path.open("rb") as file:
                names = [token.string for token in tokenize.tokenize(file.readline) if token.type == tokenize.NAME]
        except (SyntaxError, tokenize.TokenError):  # a module that is meant not to be read, as some examples are
            continue
        yield from (name for name in names if not keyword.iskeyword(name))
