"""Complete harnesses to begin with, one in each folder; none of them needs this package."""

from pathlib import Path


def available() -> tuple[str, ...]:
    """The languages there is a starter in."""
    return tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/harness.*")))


def path(language: str) -> Path:
    """The file of a language's starter."""
    (found,) = Path(__file__).parent.glob(f"{language}/harness.*")
    return found


def text(language: str) -> str:
    """The starter itself."""
    return path(language).read_text(encoding="utf-8")
