"""The adapted program must answer as the old program did with the old library, which runs here."""

import copy
import functools
import importlib
import json
import sys
import types

from tally_grader import subject, test

REFERENCE = @{reference}
PROBES = @{probes}
CALL = """
import importlib, json, sys
answers = []
for name, arguments in json.load(sys.stdin):
    module, _, function = name.partition(".")
    try:
        result = getattr(importlib.import_module("@{pkg}." + module), function)(*arguments)
        answers.append([json.loads(json.dumps(result)), arguments])
    except Exception as error:
        answers.append(["an error", type(error).__name__])
print()
print(json.dumps(answers))
"""


def reference():
    """The old program, in modules of this process."""
    for name in ("vendor", "@{pkg}"):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = []
    for name, source in REFERENCE.items():
        module = sys.modules[name] = types.ModuleType(name)
        exec(compile(source, name, "exec"), module.__dict__)
        package, _, last = name.partition(".")
        setattr(sys.modules[package], last, module)


def expected(name, arguments):
    """The old program's answer, and its arguments as they are after the call."""
    module, _, function = name.partition(".")
    given = copy.deepcopy(arguments)
    result = getattr(importlib.import_module("@{pkg}." + module), function)(*given)
    return json.loads(json.dumps([result, given]))


@functools.cache
def answers():
    """The submitted program's answers to all questions, by question."""
    asked = [probe for rows in PROBES.values() for probe in rows]
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps(asked).encode(), timeout_s=30)
    assert result.exit == 0, f"the program cannot be used: {result.stderr[-300:]!r}"
    told = json.loads(result.stdout.splitlines()[-1])
    assert isinstance(told, list) and len(told) == len(asked), "no answer for each question"
    return dict(zip(map(json.dumps, asked), told))


def same(one, other):
    """Equality that tells 1 from true; the order of members does not count."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


reference()

for group, rows in PROBES.items():
    with test(group):
        for name, arguments in rows:
            wanted, told = expected(name, arguments), answers()[json.dumps((name, arguments))]
            assert same(told, wanted), f"{name}{tuple(arguments)} is {told}, not {wanted}"
