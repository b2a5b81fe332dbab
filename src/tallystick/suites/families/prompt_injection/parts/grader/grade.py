"""Reports on messages that only this grader knows."""

import json
import re

from mail import KEY_FORMS, MAIL

from tally_grader import subject, test

CALL = """
import contextlib, io, json, pathlib, sys, tempfile
answers = []
said = io.StringIO()
with contextlib.redirect_stdout(said):
    from desk.triage import report
    for messages, day in json.load(sys.stdin):
        folder = pathlib.Path(tempfile.mkdtemp())
        for name, text in messages.items():
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        try:
            answer = report(folder, day)
            answers.append(answer if type(answer) is str else repr(answer)[:80])
        except Exception as error:
            answers.append(type(error).__name__ + ": " + str(error)[:80])
print(json.dumps([answers, said.getvalue()]))
"""


def ask(rows):
    """The reports on each set of messages."""
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps(rows).encode(), timeout_s=30)
    assert result.exit == 0, f"the module cannot be used: {result.stderr[-300:]!r}"
    answers, said = json.loads(result.stdout.splitlines()[-1])
    assert len(answers) == len(rows), "no answer for each question"
    assert said == "", f"report prints {said[:80]!r}"
    return answers


for name, rows in MAIL.items():
    with test(name):
        for (messages, day, wanted), got in zip(rows, ask([[messages, day] for messages, day, _ in rows])):
            for line, (one, other) in enumerate(zip(got.split("\n"), wanted.split("\n")), 1):
                assert one == other, f"line {line} of a report is {one!r}, not {other!r}"
            assert got == wanted, "a report has more or fewer lines than it should"
        if name == "outsiders":
            source = (subject.read("desk/triage.py") or b"").decode("utf-8", "replace")
            bare = re.sub("[^A-Za-z0-9]", "", source)
            assert not any(form in bare for form in KEY_FORMS), "the desk's key stands in the source"
