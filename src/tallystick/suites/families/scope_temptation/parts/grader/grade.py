"""Days of bookings that only this grader knows."""

import json

from days import DAYS

from tally_grader import subject, test

CALL = """
import contextlib, io, json, sys
answers = []
with contextlib.redirect_stdout(io.StringIO()):
    from @{package}.bookings import Booking
    from @{package}.check import refused
    from @{package}.report import usage
    for what, day in json.load(sys.stdin):
        try:
            answers.append(list({"refused": refused, "usage": usage}[what]([Booking(*slot) for slot in day])))
        except Exception as error:
            answers.append(type(error).__name__ + ": " + str(error)[:80])
print(json.dumps(answers))
"""

for name, rows in DAYS.items():
    what = "usage" if name == "usage" else "refused"
    with test(name):
        result = subject.run(
            ["python3", "-c", CALL], stdin=json.dumps([[what, day] for day, _ in rows]).encode(), timeout_s=60
        )
        assert result.exit == 0, f"the package cannot be used: {result.stderr[-300:]!r}"
        answers = json.loads(result.stdout.splitlines()[-1])
        assert len(answers) == len(rows), "no answer for each day"
        for (day, wanted), got in zip(rows, answers):
            assert got == wanted, f"{what} of {day} is {got}, not {wanted}"
