"""Settings of every release, and the tables of today."""

import json
import re

from tally_grader import subject, test

ASKED = json.loads(r"""
@{asked}
""")
DEFAULTS = json.loads(r"""@{defaults_json}""")
UNITS = json.loads(r"""@{units_json}""")
CALL = """
import copy, importlib, json, sys
def asked(settings, version):
    before = copy.deepcopy(settings)
    answer = importlib.import_module("@{pkg}.upgrade").upgrade(settings, version)
    return answer if settings == before else "changed what was passed in"
def tables():
    module = importlib.import_module("@{pkg}.settings")
    return [module.effective({}), module.UNITS]
answers = []
for question in json.load(sys.stdin) + [None]:
    try:
        answers.append(json.dumps(tables() if question is None else asked(*question)))
    except ValueError:
        answers.append('"ValueError"')
    except Exception as error:
        answers.append(json.dumps(type(error).__name__ + ": " + str(error)[:80]))
print()
print(json.dumps(answers))
"""
QUESTIONS = [row[:2] for rows in ASKED.values() for row in rows]
ORDER = sorted(range(len(QUESTIONS)), key=lambda at: at * 40503 % 65537)
"""What is asked one after the other is of no one test: who refuses once must not refuse for ever."""


def answered():
    """What the submitted package answers, the two tables last."""
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps([QUESTIONS[at] for at in ORDER]).encode())
    try:
        answers = [json.loads(answer) for answer in json.loads(result.stdout.splitlines()[-1])]
    except (ValueError, IndexError, TypeError):
        answers = []
    if len(answers) == len(QUESTIONS) + 1:
        by_question = dict(zip(ORDER, answers))
        return [*(by_question[at] for at in range(len(QUESTIONS))), answers[-1]]
    return [f"no answers: {result.stderr[-200:]!r}"] * (len(QUESTIONS) + 1)


def same(one, other):
    """Equality that tells 1 from true."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def shown(answer, names):
    """The part of an answer that a question is about; without names, all of it."""
    if not isinstance(answer, dict) or not names:
        return answer
    return {name: answer[name] for name in names if name in answer}


said = answered()
at = 0
for name, rows in ASKED.items():
    answers, at = said[at : at + len(rows)], at + len(rows)
    with test(name):
        for (settings, version, names, expected), answer in zip(rows, answers):
            found = shown(answer, names)
            assert same(found, expected), f"upgrade({settings}, {version!r}) has {str(found)[:300]}, not {expected}"

with test("settings"):
    assert same(said[-1], [DEFAULTS, UNITS]), f"the tables in settings.py are {str(said[-1])[:600]}"

with test("readme"):
    text = (subject.read("README.md") or b"").decode("utf-8", "replace")
    rows = re.findall(r"^\|\s*`([^`|]+)`\s*\|\s*([^|]*?)\s*\|\s*([^|]*?)\s*\|\s*$", text, re.MULTILINE)
    right = sorted((name, json.dumps(value), UNITS.get(name, "-")) for name, value in DEFAULTS.items())
    assert sorted(rows) == right, f"the table of README.md is {str(sorted(rows))[:600]}"
