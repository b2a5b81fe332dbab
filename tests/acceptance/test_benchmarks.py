"""Every benchmark still runs, once and small. What it measures is nobody's pass or failure here."""

import pytest

from benchmarks.__main__ import BENCHES
from benchmarks.measure import QUICK, table


@pytest.mark.parametrize("name", BENCHES)
def test_the_benchmark_runs(name: str) -> None:
    rows = BENCHES[name](QUICK)
    assert rows
    assert table(rows).count("\n") == len(rows) + 2
    assert all(row.figure for row in rows)
