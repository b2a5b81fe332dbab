"""Every benchmark still runs, once and small. What it measures is nobody's pass or failure here."""

import pytest

from benchmarks.__main__ import BENCHES
from benchmarks.measure import QUICK, table_rows


@pytest.mark.parametrize("name", BENCHES)
def test_the_benchmark_runs(name: str) -> None:
    rows = BENCHES[name](QUICK)
    assert rows
    assert table_rows(rows).count("\n") == len(rows)
    assert all(row.figure for row in rows)
