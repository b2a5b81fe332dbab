"""Console blocks of pages run as they stand, in order, in one folder that holds what the page shows, with an empty home."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.repo.project import ROOT
from tests.repo.readme import Command, commands, run, write_files

PAGE = """
Text.

```console
$ echo one \\
  two
one two
$ false   # exit 1
```

```sh
$ not-run
```

```console
$ printf 'a 12 ms\\nb\\n'
a ... ms
b
```
"""


def test_commands_are_found_with_what_they_promise() -> None:
    assert commands(PAGE) == [
        Command("echo one   two", 0, ("one two",)),
        Command("false", 1, ()),
        Command("printf 'a 12 ms\\nb\\n'", 0, ("a ... ms", "b")),
    ]


def test_a_page_that_tells_the_truth_passes(tmp_path: Path) -> None:
    assert [run(command, tmp_path, os.environ) for command in commands(PAGE)] == [[], [], []]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (Command("true", 1, ()), "exit 0 instead of 1"),
        (Command("echo b; echo a", 0, ("a", "b")), "was not printed: b"),
        (Command("echo 12 s", 0, ("... ms",)), "was not printed: ... ms"),
    ],
    ids=["exit", "order", "text"],
)
def test_a_page_that_does_not_is_told_where(tmp_path: Path, command: Command, said: str) -> None:
    assert said in run(command, tmp_path, os.environ)[0]


def test_files_of_a_page_are_written(tmp_path: Path) -> None:
    write_files("```python a/b.py\nprint(1)\n```\n\n```sh\nnot a file\n```\n", tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.rglob("*.*")} == {"b.py": "print(1)\n"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["README.md", "docs/write-a-task.md", "docs/tutorial.md", "docs/eval/bench.md"])
def test_a_page_runs(tmp_path: Path, name: str) -> None:
    """The page docs/first-hour.md is followed on a new system, or here where there can be none: tests/acceptance."""
    home, folder = tmp_path / "home", tmp_path / "folder"
    home.mkdir()
    folder.mkdir()
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "HOME": str(home), "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    page = (ROOT / name).read_text(encoding="utf-8")
    write_files(page, folder)
    shutil.copytree(ROOT / "cohorts", folder / "cohorts")
    wrong = [line for command in commands(page) for line in run(command, folder, environment)]
    assert wrong == []
