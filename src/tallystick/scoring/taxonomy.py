"""Why an attempt failed, in one word of a closed list. The first category whose rule finds something wins, in this order.

| category | an attempt's evidence | telemetry of others |
|---|---|---|
| `test_regression` | a command or test that passes in the untouched workspace does not pass now | `tests_failed` above 0 |
| `timeout` | the wall clock of the task ended the agent | `duration_s` above the task's limit |
| `scope_creep` | changes outside `owned_files` or of names that steer tools, a failed `only_changed` | the same |
| `conflict` | merge markers in a changed file, changes of `protected_files`, a failed `unchanged` | `protected_files` |
| `hallucination` | source that does not parse, imports and names that exist nowhere | - |
| `orientation_miss` | it changed, or looked at, no file that the reference solution changes | more files read than changed |
| `incomplete` | nothing changed, it was cut short, or only part came to hold | signals not all passed |
| `context_miss` | the rest: it worked in the right place, and nothing that had to become true did | the same |

What a rule looks at is in `scoring.clues`; here are the order and the words. Specification: docs/eval/golden-harness.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tallystick.records.eval_run import FailureCategory

__all__ = ["DETAIL_CHARS", "Clues", "Failure", "classify"]

DETAIL_CHARS: Final = 200
"""Characters of the words beside a category: paths and test ids in it are an agent's or a suite's."""
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Clues:
    """What the evidence of a failed attempt shows, by category: short phrases, none where a rule finds nothing."""

    test_regression: tuple[str, ...] = ()
    timeout: tuple[str, ...] = ()
    scope_creep: tuple[str, ...] = ()
    conflict: tuple[str, ...] = ()
    hallucination: tuple[str, ...] = ()
    orientation_miss: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()
    context_miss: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """A category, and in words what made it this one."""

    category: FailureCategory
    details: str


def classify(clues: Clues) -> Failure:
    """The first category for which there is a clue; `context_miss` where there is none at all."""
    for category in FailureCategory:
        found: tuple[str, ...] = getattr(clues, category.value)
        if found:
            return Failure(category, _words(found))
    return Failure(FailureCategory.context_miss, "it worked in the right place, and nothing that had to become true did")


def _words(found: Iterable[str]) -> str:
    said = list(dict.fromkeys(found))
    text = "; ".join(said[:_NAMED])
    more = f"; and {len(said) - _NAMED} more" if len(said) > _NAMED else ""
    return text[: DETAIL_CHARS - len(more)] + more
