"""Whether two runs were made under the same conditions, so that a difference of their numbers is one of their agents.

Tasks, graders and the limits of a task are part of the suite hash; what is compared beyond it are the conditions of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from tallystick.core.digest import short
from tallystick.core.errors import InputError
from tallystick.flows.words import plural
from tallystick.records.base import UNSET
from tallystick.records.bundle import Bundle

__all__ = ["UnlikeRunsError", "check_alike", "check_suites", "not_held", "notes"]


class UnlikeRunsError(InputError):
    """Two runs whose numbers cannot be held against each other."""


Reading = Callable[[Bundle], str]

_RUN: Final[tuple[tuple[str, Reading], ...]] = (
    ("tasks", lambda b: "all" if b.partial is UNSET else ", ".join(b.partial)),
    ("attempts at each task", lambda b: str(b.scheduler_config.attempts)),
    ("sandbox", lambda b: b.config.sandbox),
    ("sandbox policy", lambda b: b.config.policy),
)
_REACH: Final[tuple[tuple[str, Reading], ...]] = (
    ("network", lambda b: b.config.network),
    ("allowed hosts", lambda b: ", ".join(sorted(b.config.hosts)) or "none"),
    ("pins", lambda b: ", ".join(sorted(b.config.pins)) or "none"),
    ("price table", lambda b: "none" if b.config.prices is UNSET else short(b.config.prices)),
    ("limit on calls", lambda b: "none" if b.config.limits.calls is UNSET else str(b.config.limits.calls)),
    ("limit on tokens", lambda b: "none" if b.config.limits.tokens is UNSET else str(b.config.limits.tokens)),
)
"""What decides how far an agent gets with models. A self-test asks none, so it may stand beside an agent that does."""


def check_suites(a: Bundle, b: Bundle) -> None:
    """Raises `UnlikeRunsError` where the two are about different suites (tasks, graders, limits)."""
    if a.suite_hash != b.suite_hash:
        raise UnlikeRunsError(
            f"cannot compare: suite is {a.suite_version} {short(a.suite_hash)} in A, {b.suite_version} {short(b.suite_hash)} "
            "in B; other tasks, graders or limits"
        )


def check_alike(a: Bundle, b: Bundle) -> None:
    """Raises `UnlikeRunsError` where the two runs were made under different conditions, naming each with both values."""
    found = list(_differences(a, b))
    if found:
        raise UnlikeRunsError(f"cannot compare: {'; '.join(found)}")


def not_held(a: Bundle, b: Bundle) -> tuple[str, ...]:
    """What differs and is held against neither, since one side is a self-test: each with both values."""
    return tuple(_unequal(_REACH, a, b)) if _has_self_test(a, b) else ()


def _differences(a: Bundle, b: Bundle) -> Iterator[str]:
    yield from _unequal(_RUN if _has_self_test(a, b) else (*_RUN, *_REACH), a, b)


def _has_self_test(a: Bundle, b: Bundle) -> bool:
    return a.agent.self_test or b.agent.self_test


def _unequal(conditions: Iterable[tuple[str, Reading]], a: Bundle, b: Bundle) -> Iterator[str]:
    for name, read in conditions:
        left, right = read(a), read(b)
        if left != right:
            yield f"{name}: {_cut(left)} in A, {_cut(right)} in B"


def _cut(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def notes(a: Bundle, b: Bundle) -> Iterator[str]:
    """What is not alike and no reason to refuse, and what the reader has to know of either side."""
    for mark, bundle in (("A", a), ("B", b)):
        if bundle.agent.self_test:
            yield f"{mark} is a self-test ({bundle.agent.name}): it proves suite and harness, and measures no agent"
        if bundle.config.sandbox == "none":
            yield f"{mark} ran without a sandbox: nothing kept the agent from the answers"
        ungraded = bundle.totals.infra_errors + bundle.totals.refused
        if ungraded:
            yield f"{plural(ungraded, 'attempt')} of {mark} never graded, counted as not passed"
    yield from (f"not held against a self-test, which asks no model: {one}" for one in not_held(a, b))
    if a.bundle_hash == b.bundle_hash:
        yield "A and B are the same bundle"
    if a.harness != b.harness:
        yield f"made by {_made_by(a)} (A) and {_made_by(b)} (B)"
    if a.partial is not UNSET:
        yield f"partial runs of the same {plural(len(a.partial), 'task')}: no score of the suite"


def _made_by(bundle: Bundle) -> str:
    return f"{bundle.harness.name} {bundle.harness.version}"
