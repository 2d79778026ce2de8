"""`python -m shuffleproof.proofs_check.formal`: build the formal proofs, print what Coq has checked, record it with --record."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from shuffleproof.proofs_check.formal.build import FormalError, check, record


def main() -> int:
    """Exit code 0: all is proved; 1: something is not; the reason is on standard error."""
    parser = argparse.ArgumentParser(prog="python -m shuffleproof.proofs_check.formal", description=__doc__)
    parser.add_argument("--directory", type=Path, default=Path("build/formal"), help="where to build")
    parser.add_argument("--jobs", type=int, default=2, help="compilers at a time")
    parser.add_argument("--record", action="store_true", help="write records.json beside the sources")
    options = parser.parse_args()
    try:
        checked = check(options.directory, jobs=options.jobs)
    except FormalError as error:
        print(error, file=sys.stderr)
        return 1
    for one in checked:
        print(f"{one.theorem}  ({one.module}.v, {one.seconds} s)  {one.says}; closed under the global context")
    if options.record:
        record(checked)
    return 0


if __name__ == "__main__":
    sys.exit(main())
