"""Takes back what the workspace itself records of an earlier version.

1. `NAME.orig`, `NAME.bak`, `NAME.old` or `NAME~` stands beside NAME, or alone: NAME gets its content. The copy stays.
2. Conflict markers (`<<<<<<<`, `=======`, `>>>>>>>`): the first side is kept.
3. A comment that begins with `was:`, `old:`, `before:`, `previously:` or `originally:`, on a line of its own or at the end
   of one: its text replaces the next line of code, or the one it ends.

It reads no instruction and runs nothing.
"""

from __future__ import annotations

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from ladder_files import read_texts, write_changed  # type: ignore[import-not-found]

COPY = re.compile(r"(.+?)(?:\.orig|\.bak|\.old|~)")
WAS = re.compile(r"(?P<code>.*?)(?P<mark>#|//|--|;)\s*(?:was|old|before|previously|originally):\s*(?P<then>\S.*?)\s*")
CONFLICT = re.compile(r"^<{7}[^\n]*\n(.*?)(?:^\|{7}[^\n]*\n.*?)?^={7}\n.*?^>{7}[^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)


def main() -> None:
    """Apply every rule to the current folder."""
    root = os.getcwd()
    before = read_texts(root)
    after = restored(before)
    for path in write_changed(root, before, after):
        print(f"restored {path}")


def restored(texts: dict[str, str]) -> dict[str, str]:
    """The texts with every recorded earlier version put back."""
    copies = {path: match[1] for path in texts if (match := COPY.fullmatch(path)) is not None}
    after = {path: text if path in copies else earlier_lines(CONFLICT.sub(r"\1", text)) for path, text in texts.items()}
    for copy, path in copies.items():
        after[path] = texts[copy]
    return after


def earlier_lines(text: str) -> str:
    """Rule 3."""
    lines: list[str] = []
    waiting: str | None = None
    for line in text.splitlines(keepends=True):
        body, end = line.rstrip("\r\n"), line[len(line.rstrip("\r\n")) :]
        match = WAS.fullmatch(body)
        if match is not None and match["code"].strip():
            lines.append(_indent(body) + match["then"] + end)
        elif match is not None:
            waiting = match["then"]
        elif waiting is not None and body.strip():
            lines.append(_indent(body) + waiting + end)
            waiting = None
        else:
            lines.append(line)
    return "".join(lines)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


if __name__ == "__main__":
    main()
