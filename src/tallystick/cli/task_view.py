"""What a try at a task came to, for the person who made it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tallystick.cli.screen import Style
from tallystick.cli.text import block, safe, wrapped

if TYPE_CHECKING:
    from tallystick.flows.task_try import Tried, TriedCheck

__all__ = ["tried_lines"]

_OUTPUT_LINES: Final = 20


def tried_lines(tried: Tried, style: Style) -> Iterator[str]:
    """What changed, each check with its outcome, what graders said, and the verdict last."""
    yield "changed"
    yield from (f"  {safe(change, 1100)}" for change in tried.changes or ("nothing",))
    yield from (f"  left out of the check: {safe(path, 1100)}" for path in tried.excluded)
    yield from (f"  could not be sealed: {safe(path, 1100)}" for path in tried.refused)
    yield "checked"
    for check in tried.checks:
        yield from _check(check, style)
    for name, text in tried.outputs:
        if text.strip():
            yield f"output: {safe(name, 64)}"
            tail = "\n".join(text.rstrip("\n").split("\n")[-_OUTPUT_LINES:])
            yield from (f"  {line}" for line in block(tail, lines=_OUTPUT_LINES))
    verdict = style.good("passed") if tried.passed else style.bad("not passed")
    yield f"{verdict}: {safe(tried.why, 600)}"


def _check(check: TriedCheck, style: Style) -> Iterator[str]:
    mark, says = (
        ("?", "not graded") if check.holds is None else (style.mark(ok=check.holds), "holds" if check.holds else "fails")
    )
    yield f"  {mark} {safe(check.id, 64)}: {says}"
    if check.bad:
        yield from wrapped(safe(", ".join(check.bad), 600), first="      ")
