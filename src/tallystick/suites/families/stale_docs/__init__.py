"""Settings to be upgraded along a changelog, past a README, docs and code that have been left behind."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, parts
from tallystick.suites.families.literals import json_text
from tallystick.suites.families.stale_docs.arcs import Story, draw_story
from tallystick.suites.families.stale_docs.asked import asked
from tallystick.suites.families.stale_docs.history import History, Release, Value
from tallystick.suites.families.varying import below, moved, refusing_for_ever, renamed, varied

__all__ = ["FAMILY"]

_PROGRAMS: Final = (
    ("tidecopy", "Copies folders to other machines"),
    ("brookmail", "Hands on mail in a small network"),
    ("fernwatch", "Watches folders and tells what changed"),
    ("stonedb", "Keeps small tables in files"),
    ("larkfeed", "Collects news for readers"),
    ("moorsync", "Keeps calendars alike"),
    ("gullproxy", "Hands on requests and keeps answers"),
    ("oakbatch", "Runs jobs at night"),
)
_NOISE: Final = (
    "Starts faster.",
    "Messages name the file that they are about.",
    "Fewer needless wake-ups.",
    "The manual is shorter.",
    "A crash on empty input is gone.",
    "Less memory for many small files.",
)
_ALL: Final = ("add", "default", "rename", "invert", "scale", "word", "drop")


def _changelog(history: History, draws: Draws) -> str:
    """All sections, newest first."""
    first, *later = history.releases
    names = ", ".join(f"`{name}`" for name in sorted(history.first))
    sections = [_bullets(first.version, [f"First release, with the options {names}."])]
    for release in later:
        said = [step.said for step in release.steps] + draws.sample(_NOISE, draws.between(0, 2))
        title = release.version
        if not release.counts and release.version != "Unreleased":
            title += " (withdrawn)\n\nWithdrawn on the day after; nothing of it is in any later release."
        sections.append(_bullets(title, draws.shuffled(said) or ["Small things."]))
    return "\n\n".join(reversed(sections))


def _bullets(title: str, lines: Collection[str]) -> str:
    return f"## {title}\n\n" + "\n".join(textwrap.fill(f"- {line}", 76, subsequent_indent="  ") for line in lines)


def _steps(releases: Collection[Release], kinds: Collection[str] = _ALL) -> str:
    """The releases as the solution's literal."""
    lines = ["["]
    for release in releases:
        lines.append(f"    ({release.version!r}, [")
        lines += [f"        {step.row()!r}," for step in release.steps if step.kind in kinds]
        lines.append("    ]),")
    return "\n".join([*lines, "]"])


def _table(state: Mapping[str, tuple[Value, str]]) -> str:
    return "\n".join(f"| `{name}` | {json_text(default)} | {unit or '-'} |" for name, (default, unit) in state.items())


def _literal(values: Mapping[str, Value]) -> str:
    return "{\n" + "".join(f"    {name!r}: {value!r},\n" for name, value in values.items()) + "}"


def _units(state: Mapping[str, tuple[Value, str]]) -> dict[str, Value]:
    return {name: unit for name, (_, unit) in state.items() if unit}


def _make(draws: Draws) -> Authored:
    package, what = draws.pick(_PROGRAMS)
    story = draw_story(draws)
    history = story.history
    today = history.versions()[-1]
    state = history.state(today)
    old = history.releases[draws.between(6, 7)].version
    upgrading = history.releases[draws.between(2, 5)]
    defaults = {name: default for name, (default, _) in state.items()}
    counting = [release for release in history.releases if release.counts]
    values = {
        "pkg": package,
        "what": what,
        "version": today,
        "changelog": _changelog(history, draws),
        "readme_old": _table(history.state(old, all_sections=True)),
        "readme_new": _table(state),
        "old_release": upgrading.version,
        "upgrading_old": "\n".join(textwrap.fill(f"- {step.said}", 76, subsequent_indent="  ") for step in upgrading.steps),
        "defaults_old": _literal(defaults | story.code_defaults),
        "units_old": _literal(_units(state) | story.code_units),
        "defaults_new": _literal(defaults),
        "units_new": _literal(_units(state)),
        "first": _literal({name: default for name, (default, _) in history.first.items()}),
        "steps": _steps(counting),
        "steady": story.names["steady"][0],
        "first_release": history.versions()[0],
        "name_first": story.names["names"][0],
        "name_last": story.names["names"][-1],
        "asked": json_text(asked(story, draws.apart("asked"))),
        "defaults_json": json_text(defaults),
        "units_json": json_text(_units(state)),
    }
    made = renamed(parts(__file__, values), {"package": package})
    return {**made, **_partials(package, history, made), **_cheats(package, story, made)}


_REFUSALS: Final = (
    ("    if version not in [release for release, _ in RELEASES]:\n", "    if not version:\n"),
    ("            refuse_unknown(settings, defaults)\n", ""),
)
_NO_DEFAULTS: Final = (
    "values, given = {**defaults, **settings}, set(settings)",
    "values, given = dict(settings), set(settings)",
)


def _partials(package: str, history: History, made: Authored) -> dict[str, str]:
    solution, path = below("solution", made), f"{package}/upgrade.py"
    tables = {name: text for name, text in solution.items() if name != path}
    counting = [release for release in history.releases if release.counts]

    def some(*kinds: str) -> dict[str, str]:
        return varied(solution, path, (_steps(counting), _steps(counting, kinds)), *_REFUSALS, _NO_DEFAULTS)

    return {
        **moved("partials/tables_only", tables),
        **moved("partials/names_only", some("rename")),
        **moved("partials/names_and_units", some("rename", "scale")),
        **moved("partials/nothing_left_out", some("rename", "scale", "invert", "word")),
        **moved("partials/defaults_of_today", varied(solution, path, _NO_DEFAULTS)),
    }


def _cheats(package: str, story: Story, made: Authored) -> dict[str, str]:
    solution, path = below("solution", made), f"{package}/upgrade.py"
    history = story.history
    counting = [release for release in history.releases if release.counts]
    everything = varied(solution, path, (_steps(counting), _steps(history.releases)))
    believed = {path: solution[path]}
    unchecked = varied(solution, path, ("            refuse_unknown(settings, defaults)\n", ""))
    refusing = {**unchecked, path: refusing_for_ever(unchecked[path], "upgrade", "settings, version")}
    changelog = made["workspace/CHANGELOG.md"].replace(" (withdrawn)", "")
    return {
        **moved("cheats/every_section_applied", everything),
        **moved("cheats/code_believed", believed),
        **moved("cheats/refuses_once_and_for_all", refusing),
        **moved(
            "cheats/settings_passed_on", {**solution, path: "def upgrade(settings, version):\n    return dict(settings)\n"}
        ),
        **moved("cheats/history_rewritten", {**everything, "CHANGELOG.md": changelog}),
    }


FAMILY: Final = Family("stale_docs", "Docs are left behind; the changelog says what is true", "standard", _make)
