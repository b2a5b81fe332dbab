"""Console blocks of a Markdown page: what a reader is told to type, and what they are told to see.

    ```console
    $ tally verify b.json          # exit 1
    MATCH golden-v1 ...
    ```

A line that starts with ``$ `` is a command; a backslash continues it on the next line. ``# exit N`` at its end says that it
exits with N instead of 0. The lines below it must occur in its output in this order; ``...`` stands for any text.

A block of another language that has a file's name after it, as in ``python my_agent.py``, is that file: it lies in the
folder before the first command runs.
"""

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^```(?!console)[a-z]+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\s*# exit (\d+)\s*$")


@dataclass(frozen=True)
class Command:
    """One command of a page, the exit code and the lines of output it promises."""

    text: str
    code: int
    output: tuple[str, ...]


def commands(page: str) -> list[Command]:
    """Return the commands of all console blocks of a page in order."""
    found = []
    for block in _BLOCK.findall(page):
        for part in re.split(r"^\$ ", block.replace("\\\n", ""), flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            stated = _EXIT.search(line)
            shown = tuple(shown for shown in output.splitlines() if shown.strip())
            found.append(Command(_EXIT.sub("", line), int(stated[1]) if stated else 0, shown))
    return found


def write_files(page: str, folder: Path) -> None:
    """Write the files that a page shows below ``folder``."""
    for name, text in _FILE.findall(page):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def missing(command: Command, output: str) -> list[str]:
    """Return the promised lines that the output does not hold after the ones before them."""
    position, absent = 0, []
    for line in command.output:
        pattern = ".*".join(re.escape(piece.strip()) for piece in line.split("..."))
        hit = re.compile(pattern).search(output, position)
        if hit is None:
            absent.append(line)
        else:
            position = hit.end()
    return absent


def run(command: Command, folder: Path, environment: Mapping[str, str]) -> list[str]:
    """Run one command in ``folder``; return what differs from the page, one line for each difference."""
    done = subprocess.run(
        ["bash", "-c", command.text],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    wrong = [f"{command.text}: the page shows a line that was not printed: {line}" for line in missing(command, done.stdout)]
    if done.returncode != command.code:
        wrong.append(f"{command.text}: exit {done.returncode} instead of {command.code}")
    return [*wrong, done.stdout] if wrong else []
