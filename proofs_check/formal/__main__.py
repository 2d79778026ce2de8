"""`python -m shuffleproof.proofs_check.formal`: build the formal proofs, print what Coq has checked, record it with --record."""

import argparse
import sys
from pathlib import Path

from shuffleproof.proofs_check.formal.build import FormalError, check, record
from shuffleproof.proofs_check.formal.recheck import recheck, write
from shuffleproof.proofs_check.formal.sources import modules


def main() -> int:
    """Exit code 0: all is proved; 1: something is not; the reason is on standard error."""
    parser = argparse.ArgumentParser(prog="python -m shuffleproof.proofs_check.formal", description=__doc__)
    parser.add_argument("--directory", type=Path, default=Path("build/formal"), help="where to build")
    parser.add_argument("--jobs", type=int, default=2, help="compilers at a time")
    parser.add_argument("--numbers", action="store_true", help="those that the kernel computes for more than ten seconds, too")
    parser.add_argument("--record", action="store_true", help="write records.json beside the sources, with all numbers")
    parser.add_argument(
        "--recheck", action="store_true", help="check what was compiled again with coqchk; with --record, write rechecked.json"
    )
    options = parser.parse_args()
    try:
        numbers = options.numbers or options.record or options.recheck
        checked = check(options.directory, jobs=options.jobs, recording=options.record, numbers=numbers)
        again = recheck(options.directory.resolve(), texts=modules(), jobs=options.jobs) if options.recheck else None
    except FormalError as error:
        print(error, file=sys.stderr)
        return 1
    for one in checked:
        print(f"{one.theorem}  ({one.module}.v, {one.seconds} s)  {one.says}; closed under the global context")
    if again is not None:
        print(f"coqchk: {len(again.modules)} modules and the libraries under them, {again.seconds} s; none of ours without a proof")
    if options.record:
        record(checked)
        if again is not None:
            write(again)
    return 0


if __name__ == "__main__":
    sys.exit(main())
