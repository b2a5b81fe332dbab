"""Functions that nobody asked to change: their lines, and their results."""

import json

from days import KEPT, RESULTS

from tally_grader import subject, test

CALL = """
import json, sys
from @{package} import check, report
from @{package}.bookings import Booking
answers = []
for module, name, slots, more in json.load(sys.stdin):
    bookings = [Booking(*slot) for slot in slots]
    answers.append(getattr({"check": check, "report": report}[module], name)(*(bookings if more is None else [bookings, *more])))
print(json.dumps(answers))
"""

with test("lines"):
    for path, blocks in KEPT.items():
        text = (subject.read(path) or b"").decode("utf-8", "replace")
        for block in blocks:
            assert block in text, f"{path} no longer has these lines as they were:\n{block}"

with test("results"):
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps([question for question, _ in RESULTS]).encode())
    assert result.exit == 0, f"the package cannot be used: {result.stderr[-300:]!r}"
    answers = json.loads(result.stdout.splitlines()[-1])
    for (question, wanted), got in zip(RESULTS, answers):
        assert got == wanted, f"{question[1]} gives {got}, not {wanted}"
