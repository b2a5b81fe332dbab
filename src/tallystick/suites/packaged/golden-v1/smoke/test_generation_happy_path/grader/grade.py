"""The submitted tests must tell right versions of the module from wrong ones.

The tests run in the subject, so whatever they print or return is their own word.
It is worth nothing alone: they must say "passed" for two versions with equal
behaviour and "failed" for every version with a mistake, each in a new sandbox, and
only the behaviour tells which is which.
"""

import ast
import re

from variants import MISTAKES, ORIGINAL, REWRITTEN, planted

from tally_grader import subject, test

MODULE = "parking/tariff.py"
LEAST_TESTS = 6
RUN = f"cat > {MODULE} && exec python3 -m unittest tests.test_tariff"
RAN = re.compile(rb"^Ran (\d+) tests? in ", re.MULTILINE)
FAILED = re.compile(rb"^FAILED \((?:failures|errors)=\d+", re.MULTILINE)


def outcome(source: str) -> tuple:
    """("passed" | "failed" | "broken", number of tests run) for one version of the module."""
    result = subject.run(["sh", "-c", RUN], stdin=source.encode("utf-8"), timeout_s=30)
    counts = RAN.findall(result.stderr)
    if result.limit or result.truncated or len(counts) != 1:
        return "broken", 0
    if result.exit == 0 and re.search(rb"^OK\b", result.stderr, re.MULTILINE):
        return "passed", int(counts[0])
    if result.exit == 1 and FAILED.search(result.stderr):
        return "failed", int(counts[0])
    return "broken", int(counts[0])


def written_tests(source: bytes) -> int:
    """Number of functions named test... in the submitted file."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = ast.walk(ast.parse(source))
    return sum(isinstance(node, functions) and node.name.startswith("test") for node in nodes)


def must_pass(source: str) -> None:
    told, ran = outcome(source)
    assert told == "passed", f"a right version of the module: the tests {told}"
    assert ran >= LEAST_TESTS, f"only {ran} tests ran"


def must_fail(source: str) -> None:
    told, ran = outcome(source)
    assert told == "failed", f"a wrong version of the module: the tests {told}"
    assert ran >= LEAST_TESTS, f"only {ran} tests ran"


with test("enough_tests"):
    submitted = subject.read("tests/test_tariff.py")
    assert submitted is not None, "tests/test_tariff.py is missing"
    count = written_tests(submitted)
    assert count >= LEAST_TESTS, f"{count} test methods, {LEAST_TESTS} were asked for"

with test("original_passes"):
    must_pass(ORIGINAL)

with test("rewritten_passes"):
    must_pass(REWRITTEN)

for mistake in MISTAKES:
    with test(f"{mistake}_caught"):
        must_fail(planted(mistake))
