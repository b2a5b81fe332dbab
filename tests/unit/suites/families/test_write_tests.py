"""The family of tests to write: right versions agree, mistakes differ from them, each stage finds its groups and no more."""

import ast
import sys
import types
import unittest
from typing import Any

import pytest

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.write_tests import _STAGES, FAMILY
from tallystick.suites.families.write_tests.blocks import GROUPS

SEEDS = range(6)
LEAST = 6


def made(seed: int) -> dict[str, str]:
    return dict(FAMILY.make(Draws("task", FAMILY.name, str(seed), "1")))


def constants(grader: str) -> dict[str, Any]:
    wanted = {"MODULE", "RIGHT", "WRONG"}
    found = {}
    for node in ast.parse(grader).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in wanted:
            found[node.targets[0].id] = ast.literal_eval(node.value)
    return found


@pytest.fixture
def run_tests(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a test file with a version of the module, in this process; the result of `unittest`."""

    def run(tests: str, source: str, path: str) -> unittest.TestResult:
        package, _, name = path.removesuffix(".py").partition("/")
        module = types.ModuleType(f"{package}.{name}")
        exec(source, module.__dict__)
        monkeypatch.setitem(sys.modules, package, types.ModuleType(package))
        monkeypatch.setitem(sys.modules, f"{package}.{name}", module)
        names: dict[str, Any] = {"__name__": "drawn"}
        exec(tests, names)
        cases = [each for each in names.values() if isinstance(each, type) and issubclass(each, unittest.TestCase)]
        suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(each) for each in cases)
        result = unittest.TestResult()
        suite.run(result)
        return result

    return run


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stage", _STAGES)
def test_a_stage_finds_all_mistakes_of_its_groups_and_not_of_the_others(run_tests: Any, stage: str, seed: int) -> None:
    files = made(seed)
    known = constants(files["grader/grade.py"])
    tests = next(text for path, text in files.items() if path.startswith(f"{stage}/"))
    for source in known["RIGHT"]:
        result = run_tests(tests, source, known["MODULE"])
        assert result.wasSuccessful(), result.failures + result.errors
        assert result.testsRun >= LEAST
    found = [
        group
        for group in GROUPS
        if not any(run_tests(tests, source, known["MODULE"]).wasSuccessful() for source in known["WRONG"][group])
    ]
    assert found == list(_STAGES[stage])


def test_every_group_has_mistakes_whatever_is_drawn() -> None:
    for seed in range(40):
        wrong = constants(made(seed)["grader/grade.py"])["WRONG"]
        assert all(len(wrong[group]) >= 2 for group in GROUPS)


def test_no_wrong_version_is_a_right_one() -> None:
    for seed in SEEDS:
        known = constants(made(seed)["grader/grade.py"])
        wrong = [source for sources in known["WRONG"].values() for source in sources]
        assert len(set(known["RIGHT"])) == 3
        assert len({source.partition("\n")[0] for source in [*known["RIGHT"], *wrong]}) == 1  # no title tells them apart
        assert not set(wrong) & set(known["RIGHT"])


def test_seeds_make_different_modules() -> None:
    readmes = {made(seed)["workspace/README.md"].split("\n", 5)[5] for seed in range(100)}
    assert len(readmes) == 100
