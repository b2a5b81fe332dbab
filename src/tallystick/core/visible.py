r"""Text of others that shows what it holds: whatever does not print as itself is written as an escape such as `\u202e`.

Not printing as themselves are:

- what `str.isprintable` refuses: control characters, bidirectional overrides, spaces other than the common one, characters of
  no width that are for formatting, unassigned ones and lone surrogates;
- the other default-ignorable code points (Unicode 16, DerivedCoreProperties), which are letters and marks and show nothing, and
  characters that show a blank;
- combining marks without a letter, digit or symbol to stand on, which would change what stands before the text, and the fifth
  and later ones on one base, which reach into other lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

__all__ = ["escape_char", "written_out"]

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff"  # default-ignorable
    "\u2800\U00016fe4\U0001d159]"  # blanks: Braille without dots, the Khitan filler, a note without a head
).match
_FOREIGN: Final = re.compile(r"[^\x20-\x7e]+")
_FOREIGN_IN_LINES: Final = re.compile(r"[^\x20-\x7e\n\t]+")
_MARKS: Final = 4
"""Marks that one base may carry: Tibetan and Hebrew need three, four are for safety."""


def escape_char(char: str) -> str:
    r"""One character as Python spells it: `\x1b`, `\u202e`, `\U000e0001`."""
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def written_out(text: str, *, lines: bool = False, spell: Callable[[str], str] = escape_char) -> str:
    """`text` with everything that hides written out; with `lines`, line feeds and tabs stay. `spell` makes the escapes."""

    def run(found: re.Match[str]) -> str:
        before = found.string[found.start() - 1 : found.start()]
        return "".join(_shown(found[0], before, spell))

    return (_FOREIGN_IN_LINES if lines else _FOREIGN).sub(run, text)


def _shown(run: str, before: str, spell: Callable[[str], str]) -> list[str]:
    """The characters of a run without common ones; `before` is the one that stands before it, or empty."""
    shown, room = [], _room(before)
    for char in run:
        mark = unicodedata.category(char).startswith("M")
        hides = not char.isprintable() or _UNSEEN(char) is not None or (mark and room == 0)
        shown.append(spell(char) if hides else char)
        left = max(0, room - 1) if mark else _room(char)
        room = left if mark or not hides else 0
    return shown


def _room(base: str) -> int:
    """How many marks may stand on a character."""
    return _MARKS if base and unicodedata.category(base)[0] in "LNS" else 0
