"""`python -m bench`: every comparison side by side, on this machine, in one process tree. Prints ratios, writes JSON and a plot.

A comparison that fails is a row with the reason. With --resume, comparisons that an earlier run into the same folder has finished are kept.
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench import any_distribution, bounds, machine, optimal_pair, picture, scaling
from bench.measuring import Row, times
from shuffleproof.spec.vocabulary.files import write_whole

COMPARISONS: tuple[Callable[..., Iterator[Row]], ...] = (
    machine.start_up,
    bounds.targets,
    bounds.against_straightforward_code,
    bounds.against_extra_accounting,
    bounds.against_published_code,
    optimal_pair.epsilon,
    optimal_pair.certified,
    any_distribution.epsilon,
    any_distribution.every_sequence,
    scaling.sweeps,
    scaling.projection,
    scaling.single_commands,
    bounds.certified_cost,
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Compare with others, and with what was aimed for.")
    parser.add_argument("--quick", action="store_true", help="smaller n, fewer runs")
    parser.add_argument("--resume", action="store_true", help="keep what an earlier run with these options has finished")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/bench"), help="folder for bench.json and cost.svg")
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    path = given.output / ("quick.json" if given.quick else "bench.json")
    rows = [row for row in machine.read_rows(path) if "failed" not in row] if given.resume else []
    finished = {str(row["comparison"]) for row in rows if row.get("last")}
    rows = [row for row in rows if row["comparison"] in finished]
    started = time.perf_counter()
    print(_preface(), flush=True)
    for comparison in COMPARISONS:
        name = comparison.__name__
        if name in finished:
            print(f"-- {name}: kept from an earlier run", flush=True)
            continue
        print(f"-- {name.replace('_', ' ')}", flush=True)
        try:
            before = None
            for row in comparison(quick=given.quick):
                print(row.beside(before), flush=True)
                before = row
                rows.append({"comparison": name, **row.as_json()})
            rows[-1]["last"] = True
        except Exception as failure:  # one comparison that cannot be made must not hide the others
            print(f"    failed: {type(failure).__name__}: {failure}", flush=True)
            rows.append({"comparison": name, "failed": f"{type(failure).__name__}: {failure}"})
        _store(path, rows)
    picture.draw(rows, given.output / "cost.svg")
    print("\n".join(_summary(rows)))
    missed = [row["name"] for row in rows if row.get("met") is False]
    failed = [row["comparison"] for row in rows if "failed" in row]
    print(f"{path} and {given.output / 'cost.svg'} written; {time.perf_counter() - started:.0f} s")
    for what, names in (("missed", missed), ("failed", failed)):
        print(f"{what}: {'; '.join(map(str, names)) or 'nothing'}")
    return 1 if failed else 0


def _preface() -> str:
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} processors, {load}; a busy machine makes everything slower.\n"
        "Processor seconds, or elapsed ones where a name says so: median (least to largest, runs). What is compared takes turns;\n"
        "a ratio is of medians (of extremes)."
    )


def _summary(rows: list[dict[str, Any]]) -> Iterator[str]:
    """One line for each ratio, largest first."""
    yield "-- times ours, by medians"
    compared = [row for row in rows if row.get("ratio") is not None]
    for row in sorted(compared, key=lambda row: -row["ratio"]):
        yield f"{times(row['ratio']):>8}  {row['against']}: {row['name']}"


def _store(path: Path, rows: list[dict[str, Any]]) -> None:
    described = {"python": platform.python_version(), "machine": platform.machine(), "processors": os.cpu_count()}
    write_whole(path, json.dumps({**described, "rows": rows}, indent=1).encode("utf-8"))


if __name__ == "__main__":
    sys.exit(main())
