"""The review against the defects that were planted: what it found, and how many of its findings are none."""

import functools
import json

from tally_grader import subject, test

DEFECTS = @{defects}
FILES = @{files}
KINDS = @{kinds}
MOST = 20
THIRD, HALF = -(-len(DEFECTS) // 3), -(-len(DEFECTS) // 2)


@functools.cache
def findings():
    """(file, line, kind) of each finding; an AssertionError where the form is wrong."""
    data = subject.read("findings.json")
    assert data is not None, "there is no findings.json"
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        raise AssertionError("findings.json is not JSON") from None
    assert isinstance(told, list), "findings.json is not a list"
    assert len(told) <= MOST, f"{len(told)} findings are no review"
    for each in told:
        assert isinstance(each, dict) and set(each) == {"file", "line", "kind"}, f"not of the form: {each!r:.200}"
        assert isinstance(each["file"], str) and each["file"] in FILES, f"no source: {each['file']!r:.200}"
        assert type(each["line"]) is int, f"no line: {each['line']!r:.200}"
        assert isinstance(each["kind"], str) and each["kind"] in KINDS, f"no kind: {each['kind']!r:.200}"
    return tuple((each["file"], each["line"], each["kind"]) for each in told)


def right():
    """The number of defects found. A second finding of one counts as a false alarm."""
    return sum(
        any(at == file and low <= line <= high and told == kind for at, line, told in findings())
        for file, low, high, kind in DEFECTS
    )


def alarms():
    return len(findings()) - right()


with test("form"):
    findings()

for name, least in (("third", THIRD), ("half", HALF), ("most", len(DEFECTS) - 1), ("all", len(DEFECTS))):
    with test(f"{name}_found"):
        assert right() >= least, f"{right()} of {len(DEFECTS)} defects found"

with test("half_precise"):
    assert right() >= THIRD, f"{right()} of {len(DEFECTS)} defects found"
    assert alarms() <= right(), f"{alarms()} false alarms"

with test("most_precise"):
    assert right() >= HALF, f"{right()} of {len(DEFECTS)} defects found"
    assert alarms() <= 1, f"{alarms()} false alarms"

with test("all_precise"):
    assert right() >= len(DEFECTS) - 1, f"{right()} of {len(DEFECTS)} defects found"
    assert alarms() == 0, f"{alarms()} false alarms"
