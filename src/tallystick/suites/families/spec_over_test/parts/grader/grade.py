"""The tariff at weights that only this grader knows."""

import functools
import json

from tally_grader import subject, test

PROBES = @{probes}
CALL = """
import json, sys
from tariff import fee
answers = []
for grams, express in json.load(sys.stdin):
    try:
        answer = fee(grams, express=express)
        answers.append(answer if type(answer) is int else repr(answer)[:80])
    except ValueError:
        answers.append("ValueError")
    except Exception as error:
        answers.append(type(error).__name__)
print(json.dumps(answers))
"""


@functools.cache
def ask(ways):
    """The submitted function's answers to (grams, express) pairs."""
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps(ways).encode())
    assert result.exit == 0, f"the module cannot be used: {result.stderr[-300:]!r}"
    answers = json.loads(result.stdout.splitlines()[-1])
    assert isinstance(answers, list) and len(answers) == len(ways), "no answer for each question"
    return answers


for name, rows in PROBES.items():
    with test(name):
        answers = ask(tuple((grams, express) for grams, express, _ in rows))
        for (grams, express, cents), answer in zip(rows, answers):
            assert answer == cents, f"fee({grams}, express={express}) is {answer}, not {cents}"

with test("refusals"):
    grams, express, cents = PROBES["base_fee"][0]
    sound = ((grams, express),)
    answers = ask((*sound, (0, False), (-1, True), (-250, False), *sound))
    assert answers[1:-1] == ["ValueError"] * 3, "a weight not above 0 is accepted"
    assert answers[0] == answers[-1] == cents, f"fee({grams}, express={express}) is {answers[-1]}, not {cents}"
