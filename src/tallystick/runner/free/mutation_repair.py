"""Tries one small edit after another and keeps the first with which the visible tests pass. It reads no specification.

1. Test commands are those that the instruction or README.md quotes: a span in backticks or a line of code that begins with
   `python3`, `sh`, `bash` or `make` and has `test` in it; then `python3 -m unittest discover`, where a file `test*.py` is
   there; then those that have `check` in it. The first that fails counts.
2. Where all pass as they are, or none is there, nothing is changed.
3. The files are tried in this order: those that the failing tests' output names, those that a test names, all others, by
   path. Tests, and what is not Python, are left alone.
4. Mutants of these files in turn (`ladder_mutants`), one of each file, are tested in a copy of the workspace in /tmp. The
   first that passes is written into the workspace.

At most `MOST_RUNS` test runs of `RUN_SECONDS` of processor time each; it gives up after `HANGS` that had to be ended.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from ladder_files import PASSED_OVER, read_texts, write_text  # type: ignore[import-not-found]
from ladder_mutants import mutants  # type: ignore[import-not-found]

MOST_COMMANDS = 4
MOST_RUNS = 300
RUN_SECONDS = 5
WAIT_SECONDS = 20
"""A program that only waits is ended after this time."""
HANGS = 5
MOST_OUTPUT = 64 * 1024
MOST_TEXT = 64 * 1024
COMMAND = re.compile(r"(?:python3?|sh|bash|make)\s[^`\n|&;<>]*(?:test|check)[^`\n|&;<>]*")
QUOTED = re.compile(r"`([^`\n]+)`|^(?: {4}|\t)\$?[ \t]*(\S[^\n]*)$|^```[^\n]*\n\$?[ \t]*(\S[^\n]*)$", re.MULTILINE)
TEST_FILE = re.compile(r"(?:.*/)?(?:test[^/]*\.py|[^/]*_test\.py|tests?/.*|conftest\.py|setup\.py)")


class Ran(NamedTuple):
    """How the tests ended: whether they passed, and what they printed."""

    passed: bool
    output: str
    hung: bool


def main() -> None:
    """Repair the current folder, as far as one edit does."""
    root = os.getcwd()
    texts = read_texts(root)
    for command in test_commands(sys.stdin.read(MOST_TEXT), texts):
        first = run_tests(root, command)
        if not first.passed:
            found = repair(root, command, texts, first.output)
            break
    else:
        print("no visible test fails")
        return
    if found is None:
        print("no edit found")
        return
    path, text = found
    write_text(root, path, text)
    print(f"repaired {path}")


def test_commands(instruction: str, texts: dict[str, str]) -> list[list[str]]:
    """Rule 1, as words."""
    quoted = [*_quoted(instruction), *_quoted(texts.get("README.md", ""))]
    tests = [words for words in quoted if "test" in " ".join(words)]
    checks = [words for words in quoted if words not in tests]
    found: list[list[str]] = []
    for words in (*tests, *_discovered(texts), *checks):
        if words not in found:
            found.append(words)
    return found[:MOST_COMMANDS]


def _quoted(text: str) -> Iterator[list[str]]:
    for match in QUOTED.finditer(text):
        line = next(group for group in match.groups() if group is not None).strip()
        if COMMAND.fullmatch(line):
            try:
                yield shlex.split(line)
            except ValueError:
                continue


def _discovered(texts: dict[str, str]) -> Iterator[list[str]]:
    tests = [path for path in texts if re.fullmatch(r"test[^/]*\.py", os.path.basename(path))]
    if tests:
        folder = os.path.dirname(tests[0])
        package = folder and os.path.join(folder, "__init__.py") in texts
        yield ["python3", "-m", "unittest", "discover", "-s", folder or ".", *(["-t", "."] if package else [])]


def repair(root: str, command: list[str], texts: dict[str, str], output: str) -> tuple[str, str] | None:
    """Path and text of the first mutant with which the tests pass."""
    hangs = 0
    for count, (path, text) in enumerate(candidates(texts, output), 1):
        ran = run_tests(root, command, path, text)
        if ran.passed:
            return path, text
        hangs += ran.hung
        if count >= MOST_RUNS or hangs >= HANGS:
            return None
    return None


def candidates(texts: dict[str, str], output: str) -> Iterator[tuple[str, str]]:
    """Rules 3 and 4: files in order of suspicion, a mutant of each in turn."""
    tests = "".join(text for path, text in texts.items() if TEST_FILE.fullmatch(path))
    sources = [path for path in texts if path.endswith(".py") and not TEST_FILE.fullmatch(path)]

    def rank(path: str) -> tuple[bool, bool, str]:
        name = os.path.basename(path).removesuffix(".py")
        return path not in output, re.search(rf"\b{re.escape(name)}\b", tests) is None, path

    waiting = [(path, mutants(texts[path])) for path in sorted(sources, key=rank)]
    while waiting:
        left = []
        for path, found in waiting:
            text = next(found, None)
            if text is not None:
                yield path, text
                left.append((path, found))
        waiting = left


def run_tests(root: str, command: list[str], path: str | None = None, text: str = "") -> Ran:
    """Run the tests in a copy of the workspace, in which `path` has the content `text`."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "workspace")
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(*PASSED_OVER))
        if path is not None:
            write_text(copy, path, text)
        return _ended(command, copy)


def _ended(command: list[str], folder: str) -> Ran:
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_bound,  # noqa: PLW1509 - one thread only
        )
    except OSError as error:
        return Ran(passed=False, output=str(error), hung=False)
    try:
        output, _ = process.communicate(timeout=WAIT_SECONDS)
    except subprocess.TimeoutExpired:
        output = b""
    ended = process.poll()
    _kill_group(process.pid)
    if ended is None:
        process.wait()
    said = output[-MOST_OUTPUT:].decode("utf-8", "replace")
    return Ran(passed=ended == 0 and not _ran_nothing(said), output=said, hung=ended is None or ended == -signal.SIGXCPU)


def _ran_nothing(output: str) -> bool:
    """Whether unittest says that there was no test: up to Python 3.11 it calls that a success."""
    return re.search(r"^Ran 0 tests in ", output, re.MULTILINE) is not None


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (RUN_SECONDS, RUN_SECONDS + 1))


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
