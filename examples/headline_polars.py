"""The headline of a bundle, from its rows: `tally export ndjson BUNDLE | python examples/headline_polars.py`.

Prints what `tally show` calls claimed: attempts passed, and the 95 % interval of the rate (Wilson 1927). Needs polars.
"""

import sys

import polars as pl

rows = pl.read_ndjson(sys.stdin.buffer.read(), infer_schema_length=None)
n, k, z = pl.len(), pl.col("passed").sum(), 1.959963984540054
centre = (k / n + z**2 / (2 * n)) / (1 + z**2 / n)
spread = (k / n * (1 - k / n) / n + z**2 / (4 * n**2)).sqrt() * z / (1 + z**2 / n)
headline = rows.select(passed=k, attempts=n, low=centre - spread, high=centre + spread).row(0, named=True)
by_task = rows.group_by("task_id", maintain_order=True).agg(passed=k, attempts=n)

print("passed {passed}/{attempts}, 95 % interval {low:.1%} to {high:.1%}".format(**headline))
for row in by_task.iter_rows(named=True):
    print("  {task_id:<40} {passed}/{attempts}".format(**row))
