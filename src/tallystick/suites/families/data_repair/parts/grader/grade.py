"""Tables that only this grader knows: what is kept, how it is repaired, and what is rejected why."""

import csv
import functools
import json

from tally_grader import subject, test

HEADER = @{header}
SHEETS = @{sheets}
CALL = """
import json, sys
from repair import repair
answers = []
for text in json.load(sys.stdin):
    try:
        answers.append([str(each) for each in repair(text)])
    except Exception as error:
        answers.append([type(error).__name__, ""])
print()
print(json.dumps(answers))
"""


@functools.cache
def answers():
    """The two texts for each table, by table."""
    asked = [text for rows in SHEETS.values() for text, _, _ in rows]
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps(asked).encode(), timeout_s=30)
    assert result.exit == 0, f"the module cannot be used: {result.stderr[-300:]!r}"
    told = json.loads(result.stdout.splitlines()[-1])
    assert isinstance(told, list) and len(told) == len(asked), "no answer for each question"
    return dict(zip(asked, told))


def must_be(told, wanted, what):
    rows = list(csv.reader(str(told).splitlines()))
    for at, (found, right) in enumerate(zip(rows, wanted), 1):
        assert found == right, f"{what}, row {at}: {found}, not {right}"
    assert len(rows) == len(wanted), f"{what}: {len(rows)} rows, not {len(wanted)}"


for name, sheets in SHEETS.items():
    with test(name):
        for text, clean, rejects in sheets:
            told = answers()[text]
            assert isinstance(told, list) and len(told) == 2, "not two texts"
            must_be(told[0], [HEADER, *clean], "the repaired table")
            must_be(told[1], [["row", "reason"], *rejects], "the rejects")
