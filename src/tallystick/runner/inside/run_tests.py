"""Runs test files in the subject's sandbox for the static judge: `python3 -B -s run_tests.py PATH...`.

Every `test*` method of a unittest.TestCase and every plain function `test*` without parameters is run. The exit
code says it all: PASSED when at least one ran and none failed, FAILED otherwise. PASSED is no 0, so that a file
that ends the process by itself is not taken for one whose tests pass. What runs here is the submission's own
code: it can say what it likes of itself, and nothing about passing or failing a task hangs on it.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
import unittest
from typing import Any

PASSED = 77
FAILED = 1


def module_of(path: str, number: int) -> Any:
    """The module of a test file: by its dotted name where its folders are packages, else as a file."""
    parts = path.removesuffix(".py").split("/")
    folders = ["/".join(parts[:at]) for at in range(1, len(parts))]
    if folders and all(os.path.exists(f"{folder}/__init__.py") for folder in folders):
        return importlib.import_module(".".join(parts))
    sys.path.insert(1, os.path.abspath(os.path.dirname(path)))
    spec = importlib.util.spec_from_file_location(f"tally_tests_{number}", path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def suite_of(module: Any) -> unittest.TestSuite:
    """Tests of a module, plain functions among them."""
    found = unittest.defaultTestLoader.loadTestsFromModule(module)
    for name, value in sorted(vars(module).items()):
        plain = name.startswith("test") and inspect.isfunction(value) and value.__module__ == module.__name__
        if plain and not inspect.signature(value).parameters:
            found.addTest(unittest.FunctionTestCase(value))
    return found


def main(paths: list[str]) -> int:
    """Exit PASSED or FAILED."""
    sys.path[0] = os.getcwd()
    suites = [suite_of(module_of(path, number)) for number, path in enumerate(paths)]
    result = unittest.TextTestRunner(stream=sys.stderr, failfast=True).run(unittest.TestSuite(suites))
    ran = result.testsRun - len(result.skipped)
    return PASSED if result.wasSuccessful() and ran > 0 else FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
