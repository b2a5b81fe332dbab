"""The grader's questions about upgrades: [settings, release, names to look at, answer] each, by test."""

from __future__ import annotations

from collections.abc import Collection

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.stale_docs.arcs import Story
from tallystick.suites.families.stale_docs.history import Value

__all__ = ["asked"]

Row = list[object]


def _row(story: Story, settings: dict[str, Value], version: str, names: Collection[str]) -> Row:
    answer = story.history.upgraded(settings, version)
    shown = {name: value for name, value in answer.items() if name in names} if names else answer
    return [settings, version, sorted(names), shown]


def _numbers(story: Story, draws: Draws, trap: str) -> list[Row]:
    """A number set under each name that the option of a trap had, release by release."""
    names = story.names[trap]
    return [
        _row(story, {name: draws.between(61, 9000)}, version, names)
        for version in story.history.versions()
        for name in names
        if name in story.history.state(version)
    ]


def _values(story: Story, draws: Draws) -> list[Row]:
    rows = []
    for version in story.history.versions():
        state = story.history.state(version)
        flags = [name for name in story.names["opposite"] if name in state]
        rows += [_row(story, {name: value}, version, story.names["opposite"]) for name in flags for value in (True, False)]
        rows += [
            _row(story, {story.names["other_word"][0]: word}, version, story.names["other_word"])
            for word in draws.shuffled(story.names["words"])
        ]
    return rows


def _defaults(story: Story) -> list[Row]:
    """Nothing set, and the default of then or of today set for each option in turn."""
    history = story.history
    today = history.state(history.versions()[-1])
    rows = []
    for version in history.versions():
        state = history.state(version)
        rows.append(_row(story, {}, version, ()))
        rows.append(_row(story, {name: default for name, (default, _) in state.items()}, version, ()))
        rows.append(
            _row(story, {name: today[name][0] for name in state if name in today and name in history.first}, version, ())
        )
    return rows


def _refusals(story: Story) -> list[Row]:
    """Releases that never were, and options that a release did not have."""
    history = story.history
    first, *_, today = history.versions()
    old, between, new = story.names["names"]
    strange: list[tuple[dict[str, Value], str]] = [
        ({}, story.withdrawn),
        ({}, "Unreleased"),
        ({}, "9.9.9"),
        ({new: 5}, first),
        ({story.names["late"][0]: 5}, first),
        ({between: 5}, today),
        ({f"max_{story.names['withdrawn_name'][0]}": 5}, today),
        ({old: 5, "colour": 1}, first),
    ]
    return [[settings, version, [], "ValueError"] for settings, version in strange]


def asked(story: Story, draws: Draws) -> dict[str, list[Row]]:
    """All questions by test, in the order of the task's tests."""
    return {
        "names": _numbers(story, draws, "names"),
        "units": [*_numbers(story, draws, "taken_back"), *_numbers(story, draws, "finer")],
        "values": _values(story, draws),
        "removed": _numbers(story, draws, "gone"),
        "defaults": _defaults(story),
        "refusals": _refusals(story),
    }
