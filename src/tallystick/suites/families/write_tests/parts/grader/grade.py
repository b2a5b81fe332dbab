"""The submitted tests must tell right versions of the module from those with a mistake.

What the tests print is their own word. It counts because they cannot know which version they are given: they have to say
"passed" for every right one and "failed" for every wrong one, each in a new sandbox.
"""

import functools
import re

from tally_grader import subject, test

MODULE = "@{pkg}/@{module}.py"
LEAST_TESTS = 6
RIGHT = @{right}
WRONG = @{wrong}
RUN = f"cat > {MODULE} && exec python3 -m unittest tests.test_@{module}"
RAN = re.compile(rb"^Ran (\d+) tests? in ", re.MULTILINE)
FAILED = re.compile(rb"^FAILED \((?:failures|errors)=\d+", re.MULTILINE)
PASSED = re.compile(rb"^OK\b", re.MULTILINE)


def outcome(source):
    """`passed`, `failed` or `broken` for one version of the module."""
    result = subject.run(["sh", "-c", RUN], stdin=source.encode("utf-8"), timeout_s=20)
    counts = RAN.findall(result.stderr)
    if result.limit or result.truncated or len(counts) != 1 or int(counts[0]) < LEAST_TESTS:
        return "broken"
    if result.exit == 0 and PASSED.search(result.stderr):
        return "passed"
    if result.exit == 1 and FAILED.search(result.stderr):
        return "failed"
    return "broken"


@functools.cache
def problem():
    """What the tests say of a right version that they should not, or nothing."""
    for source in RIGHT:
        told = outcome(source)
        if told != "passed":
            return f"with a right version of the module, the tests have {told}"
    return ""


with test("right_versions"):
    assert not problem(), problem()

for name, sources in WRONG.items():
    with test(name):
        assert not problem(), problem()
        for source in sources:
            told = outcome(source)
            assert told != "broken", "with a mistake in the module, the tests are broken"
            assert told != "passed", "with a mistake in the module, the tests have passed"
