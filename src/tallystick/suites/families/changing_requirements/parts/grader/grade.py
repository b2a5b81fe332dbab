"""Calls on accounts that only this grader knows."""

import json

from scripts import SCRIPTS

from tally_grader import subject, test

CALL = """
import json, sys
from @{package} import Account, Refused

def answer(account, what, day, number):
    try:
        got = account.balance(day) if what == "balance" else getattr(account, what)(day, number)
        return got if type(got) is int else repr(got)[:80]
    except Refused:
        return "Refused"
    except Exception as error:
        return type(error).__name__

scripts = json.load(sys.stdin)
accounts = [Account() for _ in scripts]
print(json.dumps([[answer(account, *call) for call in calls] for account, calls in zip(accounts, scripts)]))
"""


def ask(scripts):
    """The answers of a new account for each script."""
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps(scripts).encode(), timeout_s=30)
    assert result.exit == 0, f"the package cannot be used: {result.stderr[-300:]!r}"
    answers = json.loads(result.stdout.splitlines()[-1])
    assert isinstance(answers, list) and len(answers) == len(scripts), "no answer for each script"
    return answers


for name, rows in SCRIPTS.items():
    with test(name):
        for (calls, wanted), got in zip(rows, ask([calls for calls, _ in rows])):
            assert len(got) == len(wanted), "no answer for each call"
            for at, (one, other) in enumerate(zip(got, wanted)):
                assert one == other, f"after {calls[max(0, at - 6):at]}, {calls[at]} gives {one!r}, not {other!r}"
