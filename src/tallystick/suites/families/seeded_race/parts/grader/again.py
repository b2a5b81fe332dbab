"""Each task once more, alone and among strangers: it can know nothing but its arguments and what its operations gave."""

import json

from tally_grader import subject

CALL = """
import json, sys
from @{pkg} import desk
def again(function, arguments, given):
    log = []
    try:
        task = getattr(desk, function)(*arguments)
        for value in [None, *given]:
            log.append(list(task.send(tuple(value) if type(value) is list else value)))
    except StopIteration as stopped:
        return [log, stopped.value]
    except Exception as error:
        return [log, type(error).__name__]
    return [log, "does not end"]
said = [again(*question) for question in json.load(sys.stdin)]
print()
print(json.dumps(said))
"""


def check_again(tasks):
    """`tasks` has (function, arguments, results of the operations, operations, result) of each.

    Raises:
        AssertionError: one does something else now; it is told.
    """
    asked = json.dumps([task[:3] for task in tasks]).encode()
    result = subject.run(["python3", "-c", CALL], stdin=asked, timeout_s=20)
    try:
        said = json.loads(result.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        said = []
    assert isinstance(said, list) and len(said) == len(tasks), f"no answer: {result.stderr[-300:]!r}"
    for (function, arguments, _, *did), does in zip(tasks, said):
        told = f"{function}{tuple(arguments)} does {str(does)[-200:]}"
        assert does == did, f"{told} with the same results that made it do {str(did)[-200:]}"
