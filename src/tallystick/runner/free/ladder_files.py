"""The text files of a workspace, bounded: what a rung looks at and writes."""

from __future__ import annotations

import os

MOST_FILES = 2_000
MOST_BYTES = 256 * 1024
"""Bytes of one file; larger ones are left alone."""
PASSED_OVER = {".git", "__pycache__", "node_modules"}


def read_texts(root: str) -> dict[str, str]:
    """UTF-8 texts by relative path, sorted; no links, nothing of `PASSED_OVER`."""
    found: dict[str, str] = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - PASSED_OVER)
        for name in sorted(names):
            path = os.path.join(folder, name)
            text = read_text(path)
            if text is not None:
                found[os.path.relpath(path, root)] = text
            if len(found) >= MOST_FILES:
                return found
    return dict(sorted(found.items()))


def read_text(path: str) -> str | None:
    """The text of a regular file, line ends as they are; None for anything else."""
    if os.path.islink(path) or not os.path.isfile(path) or os.path.getsize(path) > MOST_BYTES:
        return None
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError):
        return None


def write_text(root: str, path: str, text: str) -> bool:
    """Write `text` to a relative path that stays below `root`; tells whether it was."""
    place = os.path.normpath(os.path.join(root, path))
    if os.path.isabs(path) or not place.startswith(os.path.normpath(root) + os.sep) or os.path.islink(place):
        return False
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except OSError:
        return False
    return True


def write_changed(root: str, before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Write the texts that differ; returns their paths."""
    return [path for path, text in after.items() if before.get(path) != text and write_text(root, path, text)]
