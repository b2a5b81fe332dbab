"""Whether what can be done was done, or what cannot be done was refused for the right reason."""

import json

from tally_grader import subject, test

ASKED = json.loads(r"""
@{asked}
""")
REFUSED = json.loads(r"""@{refused}""")
STUBS = json.loads(r"""
@{stubs_json}
""")
MODULE = "@{pkg}.py"
CALL = """
import json, sys
import @{pkg} as module
answers = []
for function, arguments in json.load(sys.stdin):
    try:
        answers.append(getattr(module, function)(*arguments))
        json.dumps(answers[-1])
    except Exception as error:
        answers[len(answers):] = [type(error).__name__]
print()
print(json.dumps(answers))
"""


def called(questions):
    """The submitted module's answers to [function, arguments] pairs."""
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps(questions).encode())
    try:
        answers = json.loads(result.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        answers = None
    assert isinstance(answers, list) and len(answers) == len(questions), f"no answers: {result.stderr[-300:]!r}"
    return answers


def code_problem(number, code, rule):
    """Why a code breaks a rule, or an empty text."""
    right = isinstance(code, str) and len(code) == rule["length"] and set(code) <= set(rule["alphabet"])
    right = right and code[0] == code[-1] and code[0] != rule["first"] and not (number == 0 and rule["last"] in code)
    return "" if right else f"{number} has {str(code)[:60]!r}"


def visits_problem(count, starts, rule):
    """Why visits break a rule, or an empty text."""
    right = isinstance(starts, list) and len(starts) == count and all(type(start) is int for start in starts)
    right = right and all(rule["opens"] <= start <= rule["closes"] - rule["takes"] for start in starts)
    right = right and all(start % rule["grid"] == 0 for start in starts)
    right = right and all(after - start >= rule["step"] for start, after in zip(starts, starts[1:]))
    return "" if right else f"{count} visits at {str(starts)[:90]}"


def check_functions(rows):
    """Every answer is right, and nothing was refused."""
    assert subject.read("REFUSAL.json") is None, "refused, although all clauses can hold"
    asked = [row[:2] for row in rows]
    answers = called([*asked, *asked[::-1]])
    assert answers[: len(rows)] == answers[: len(rows) - 1 : -1], "what is returned changes from call to call"
    answers = answers[: len(rows)]
    codes = [answer for row, answer in zip(rows, answers) if isinstance(row[2], dict) and row[2]["kind"] == "codes"]
    for (function, arguments, expected), answer in zip(rows, answers):
        if not isinstance(expected, dict):
            found = json.dumps(answer)
            problem = "" if found == json.dumps(expected) else f"{found[:120]}, not {json.dumps(expected)[:120]}"
        elif expected["kind"] == "codes":
            problem = code_problem(*arguments, answer, expected)
        else:
            problem = visits_problem(*arguments, answer, expected)
        assert not problem, f"{function}{tuple(arguments)}: {problem}"
    assert len(set(codes)) == len(codes), "two numbers have one text"


def refusal():
    """The submitted refusal, if nothing pretends to do what cannot be done."""
    assert (subject.read(MODULE) or b"").decode("utf-8", "replace") == STUBS, f"{MODULE} is not as it was"
    text = subject.read("REFUSAL.json")
    assert text is not None, "nothing was refused"
    said = json.loads(text.decode("utf-8", "replace"))
    assert isinstance(said, dict) and isinstance(said.get("clauses"), list), "REFUSAL.json has no list of clauses"
    return said


def check_refusal(name):
    said = refusal()
    right, clauses = set(REFUSED["clauses"]), {str(clause) for clause in said["clauses"]}
    if name == "function":
        assert said.get("function") == REFUSED["function"], f"{str(said.get('function'))[:80]} can be written"
    if name == "needed_clauses":
        assert clauses >= right, f"without {sorted(right - clauses)} the rest can hold"
    if name == "only_those":
        assert clauses and clauses <= right, f"{sorted(clauses - right)[:9]} are not needed for the contradiction"


if REFUSED is None:
    for name, rows in ASKED.items():
        with test(name):
            check_functions(rows)
else:
    for name in ("refused", "function", "needed_clauses", "only_those"):
        with test(name):
            check_refusal(name)
