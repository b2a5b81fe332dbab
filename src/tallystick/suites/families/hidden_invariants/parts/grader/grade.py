"""Amounts that only this grader knows, through every module of the journal."""

import json

from tally_grader import subject, test

ASKED = json.loads(r"""
@{asked}
""")
SAMPLE = json.loads(r"""
@{sample_new_list}
""")
CALL = """
import importlib, json, sys
def called(module, function, arguments):
    return getattr(importlib.import_module("@{pkg}." + module), function)(*arguments)
answers = []
for module, function, arguments in json.load(sys.stdin):
    try:
        if function == "key":
            answer = [called(module, function, [record]) for record in arguments[0]]
        elif function == "dump":
            answer = [json.loads(line) for line in called(module, function, arguments).splitlines()]
        else:
            answer = called(module, function, arguments)
        answers.append(json.dumps(answer, sort_keys=True))
    except ValueError:
        answers.append("ValueError")
    except Exception as error:
        answers.append(type(error).__name__ + ": " + str(error)[:80])
print()
print(json.dumps(answers))
"""
QUESTIONS = [question[:3] for rows in ASKED.values() for question in rows]


def answered():
    """An answer for each question, in order."""
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps(QUESTIONS).encode())
    try:
        answers = json.loads(result.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        answers = None
    if isinstance(answers, list) and len(answers) == len(QUESTIONS):
        return answers
    return [f"no answers: {result.stderr[-200:]!r}"] * len(QUESTIONS)


said = iter(answered())
for name, rows in ASKED.items():
    answers = [next(said) for _ in rows]
    with test(name):
        for (module, function, arguments, expected), answer in zip(rows, answers):
            right = expected if expected == "ValueError" else json.dumps(expected, sort_keys=True)
            assert answer == right, f"{module}.{function}({json.dumps(arguments)[:200]}): {str(answer)[:200]}, not {right[:200]}"

with test("sample"):
    lines = (subject.read("data/sample.jsonl") or b"").decode("utf-8", "replace").splitlines()
    found = json.dumps([json.loads(line) for line in lines if line.strip()], sort_keys=True)
    assert found == json.dumps(SAMPLE, sort_keys=True), f"data/sample.jsonl has {found[:400]}"
