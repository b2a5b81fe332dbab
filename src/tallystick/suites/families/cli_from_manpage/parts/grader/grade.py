"""Calls of the program that only this grader knows; output, messages and exit status must all be as the manual page says."""

import json
import pathlib

from cases import CASES

from tally_grader import subject, test

DRIVER = (pathlib.Path(__file__).parent / "driver.py").read_text(encoding="utf-8")


def ask(calls):
    """What each call left, as [stdout, stderr, exit status]."""
    result = subject.run(["python3", "-c", DRIVER], stdin=json.dumps(calls).encode(), timeout_s=100)
    assert result.exit == 0, f"the calls could not be made: {result.stderr[-300:]!r}"
    answers = json.loads(result.stdout.splitlines()[-1])
    assert isinstance(answers, list) and len(answers) == len(calls), "no answer for each call"
    return answers


for name, rows in CASES.items():
    with test(name):
        for row, answer in zip(rows, ask([row["call"] for row in rows])):
            args = " ".join(row["call"]["args"])
            for what, got, wanted in zip(("output", "messages", "exit status"), answer, row["leaves"], strict=True):
                assert got == wanted, f"@{prog} {args}: {what} {got!r}, not {wanted!r}"
