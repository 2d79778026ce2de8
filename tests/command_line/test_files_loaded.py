"""How many files of the project a command loads: each is time that everybody waits for, and none is to creep in unseen."""

import subprocess
import sys

import pytest

_PROGRAM = """
import sys
from shuffleproof.command_line.program import main
try:
    main(sys.argv[1:])
finally:
    print(*(name for name in sys.modules if name.startswith("shuffleproof")), file=sys.stderr)
"""


def _loaded(*typed: str) -> set[str]:
    return {*subprocess.run([sys.executable, "-c", _PROGRAM, *typed], check=True, capture_output=True, text=True).stderr.split()}


@pytest.mark.parametrize(
    ("typed", "most"),
    [
        ("--version", 17),
        ("--help", 17),
        ("bound epsilon --method clones -n 100 --eps0 1 --delta 1e-6", 58),
        ("compare --randomizer laplace -n 1000 --eps0 1 --delta 1e-6", 108),
    ],
    ids=lambda each: str(each).partition(" -")[0],
)
def test_a_command_loads_so_many_files_at_most(typed: str, most: int) -> None:
    """A command that needs more says so here. Of named randomizers it loads the one that was named."""
    loaded = _loaded(*typed.split())
    assert len(loaded) <= most, sorted(loaded)
    assert {name for name in loaded if name.startswith("shuffleproof.spec.randomizers.")} <= {"shuffleproof.spec.randomizers.laplace"}
