"""Build out/ from data/."""

import csv
import pathlib

for path in sorted(pathlib.Path("data/movements").glob("*.csv")):
    print(path, sum(1 for _ in csv.reader(path.open())))
