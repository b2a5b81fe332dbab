"""`python -m benchmarks [NAME ...] [--quick | --large]`: measure, and print one Markdown table."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TextIO

from benchmarks import attempts, c1, cohorts, drawing, evaluate, gateway, page, rederive, reliability, size, verify
from benchmarks.machine import describe
from benchmarks.measure import FULL, LARGE, QUICK, Row, Scale, table_head, table_rows

BENCHES: Final[Mapping[str, Callable[[Scale], list[Row]]]] = {
    "c1": c1.measure,
    "verify": verify.measure,
    "attempts": attempts.measure,
    "rederive": rederive.measure,
    "reliability": reliability.measure,
    "evaluate": evaluate.measure,
    "size": size.measure,
    "page": page.measure,
    "gateway": gateway.measure,
    "drawing": drawing.measure,
    "cohorts": cohorts.measure,
}
RESULTS: Final = Path(__file__).parent / "results"


def main(argv: Sequence[str]) -> int:
    """Run what is named, or all; rows go to standard output and to a file below `results/` as they come."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHES)}; all by default")
    size_of = parser.add_mutually_exclusive_group()
    size_of.add_argument("--quick", action="store_const", dest="scale", const=QUICK, help="once each, to see that it works")
    size_of.add_argument("--large", action="store_const", dest="scale", const=LARGE, help="10,000 attempts in a run, too")
    given = parser.parse_args(argv)
    unknown = [name for name in given.names if name not in BENCHES]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; there are {', '.join(BENCHES)}")
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / time.strftime("%Y%m%dT%H%M%SZ.md", time.gmtime())).open("w", encoding="utf-8") as file:
        _say(f"{describe()}\n\n{table_head()}", file)
        for name in given.names or BENCHES:
            print(f"measuring {name} ...", file=sys.stderr)
            _say(table_rows(BENCHES[name](given.scale or FULL)), file)
    return 0


def _say(text: str, file: TextIO) -> None:
    """Print it and keep it, at once: what has been measured is there if a later benchmark is ended."""
    for stream in (sys.stdout, file):
        stream.write(text)
        stream.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
