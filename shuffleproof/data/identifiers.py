"""A real data set of items: identifiers in the sources of Python's standard library, one occurrence being one user with one item.

An occurrence is what differential privacy then protects: not a module, whose occurrences are many.
"""

import keyword
import platform
import random
import sysconfig
import tokenize
from collections.abc import Iterator
from pathlib import Path

from shuffleproof.data.standard_library import library_modules
from shuffleproof.spec.vocabulary.errors import UnsupportedError, require

NAME = "stdlib-identifiers"
SAMPLE = 100_000
"""Occurrences that are drawn, unless others are asked for."""
PROTECTS = "one occurrence of an identifier, not a module, whose occurrences are many"


def described(*, sample: int = SAMPLE, seed: int = 0) -> str:
    """The data set in words, with everything that it takes to make it again."""
    version = platform.python_version()
    return f"{sample} occurrences of identifiers in the standard library of Python {version}, sampled without replacement, seed {seed}"


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
