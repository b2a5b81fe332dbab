"""Stories of single options over the releases of a program; each is a trap for somebody who reads too little."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.literals import json_text
from tallystick.suites.families.stale_docs.history import History, Release, Step, Value

__all__ = ["Story", "draw_story"]

_COUNTS: Final = ("retries", "workers", "depth", "batch", "window", "streams", "shards", "queue", "rounds", "history", "copies")
_TIMES: Final = ("timeout", "grace", "interval", "linger", "backoff", "holdoff", "cooldown", "lease")
_FLAGS: Final = ("verify", "cache", "follow", "compress", "lock", "notify", "mirror", "trace")
_CHOICES: Final = (
    ("level", "warn", "warning"),
    ("order", "fifo", "oldest"),
    ("style", "plain", "text"),
    ("scope", "all", "every"),
)
_UNITS: Final = (("minutes", "seconds", 60), ("seconds", "milliseconds", 1000))
_SIZES: Final = ("buffer", "chunk", "block", "page")


@dataclass(slots=True)
class Story:
    """A history, and the options of each trap by what they are called over time."""

    history: History
    first: dict[str, tuple[Value, str]] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    code_defaults: dict[str, Value] = field(default_factory=dict)
    code_units: dict[str, str] = field(default_factory=dict)
    withdrawn: str = ""


class _Plot:
    """What is drawn so far: `sections` are the steps by place of their release."""

    def __init__(self, draws: Draws, versions: list[str], withdrawn: int) -> None:
        self.draws, self.versions, self.withdrawn = draws, versions, withdrawn
        self.sections: list[list[Step]] = [[] for _ in versions]
        self.story = Story(History({}, ()))
        self.pools = {name: draws.shuffled(pool) for name, pool in (("count", _COUNTS), ("time", _TIMES), ("flag", _FLAGS))}

    def name(self, pool: str) -> str:
        return self.pools[pool].pop()

    def places(self, count: int, least: int = 1) -> list[int]:
        """Releases in order, none of them withdrawn or future."""
        usable = [at for at in range(least, len(self.versions) - 1) if at != self.withdrawn]
        return sorted(self.draws.sample(usable, count))

    def begin(self, trap: str, names: tuple[str, ...], default: Value, unit: str = "") -> None:
        self.story.first[names[0]] = (default, unit)
        self.story.names[trap] = names

    def add(self, at: int, step: Step) -> None:
        self.sections[at].append(step)

    def default(self, at: int, name: str, old: Value, new: Value, unit: str = "") -> None:
        shown = [f"`{json_text(value)}`{' ' + unit if unit else ''}" for value in (old, new)]
        said = self.draws.pick(("The default of `{0}` is {2} instead of {1}.", "`{0}` is {2} by default, no longer {1}."))
        self.add(at, Step("default", name, (new,), said.format(name, *shown)))

    def rename(self, at: int, old: str, new: str) -> None:
        said = self.draws.pick(("`{0}` is called `{1}` now.", "`{1}` is the new name of `{0}`."))
        self.add(at, Step("rename", old, (new,), said.format(old, new)))

    def appear(self, at: int, name: str, default: int, unlike: str = "") -> None:
        said = f"New: `{name}`, by default `{default}`." + (
            f" It has nothing to do with the `{name}` of {unlike}." if unlike else ""
        )
        self.add(at, Step("add", name, (default,), said))


def _renamed_twice(plot: _Plot) -> None:
    first, second, third = (plot.name("count") for _ in range(3))
    one, two, again = plot.places(3)
    plot.begin("names", (first, second, third), plot.draws.between(2, 30))
    plot.rename(one, first, second)
    plot.rename(two, second, third)
    plot.appear(again, first, plot.draws.between(31, 60), f"releases before {plot.versions[one]}")


def _taken_back(plot: _Plot) -> None:
    name = plot.name("time")
    coarse, fine, times = plot.draws.pick(_UNITS)
    there, back = plot.places(2)
    plot.begin("taken_back", (name,), plot.draws.between(3, 40), coarse)
    said = f"`{name}` is counted in {fine} instead of {coarse}. The default stays as long as it was."
    plot.add(there, Step("scale", name, (times, 1), said, fine))
    said = (
        f"`{name}` is counted in {coarse} again, as before {plot.versions[there]}. What does not divide evenly is rounded up."
    )
    plot.add(back, Step("scale", name, (1, times), said, coarse))


def _finer(plot: _Plot) -> None:
    coarse, fine, times = plot.draws.pick((*_UNITS, ("MB", "KB", 1024)))
    name = plot.draws.pick(_SIZES) if fine == "KB" else plot.name("time")
    there, later = plot.places(2)
    default = plot.draws.between(3, 40)
    plot.begin("finer", (name,), default, coarse)
    same = "big" if fine == "KB" else "long"
    said = (
        f"`{name}` is counted in {fine} instead of {coarse} (1 {coarse[:-1] if same == 'long' else coarse} is {times} {fine}). "
    )
    plot.add(there, Step("scale", name, (times, 1), f"{said}The default stays as {same} as it was.", fine))
    new = times * plot.draws.between(41, 60)
    plot.default(later, name, default * times, new, fine)
    plot.story.code_units[name] = coarse


def _other_default(plot: _Plot) -> None:
    name = plot.name("count")
    one, two = plot.places(2)
    first, second, third = plot.draws.sample(range(2, 60), 3)
    plot.begin("other_default", (name,), first)
    plot.default(one, name, first, second)
    plot.default(two, name, second, third)
    plot.story.code_defaults[name] = second


def _opposite(plot: _Plot) -> None:
    new = plot.name("flag")
    old = f"no_{new}"
    one, two = plot.places(2)
    default = plot.draws.chance(1, 2)
    plot.begin("opposite", (old, new), default)
    said = f"`{old}` has become `{new}` and says the opposite: `false` there is `true` here, in the default, too."
    plot.add(one, Step("invert", old, (new,), said))
    plot.default(two, new, not default, default)


def _other_word(plot: _Plot) -> None:
    name, old, new = plot.draws.pick(_CHOICES)
    (at,) = plot.places(1)
    plot.begin("other_word", (name,), old)
    plot.add(at, Step("word", name, (old, new), f"The value `{json_text(old)}` of `{name}` is called `{json_text(new)}` now."))
    plot.story.names["words"] = (old, new, plot.draws.pick(("none", "other", "strict")))


def _gone(plot: _Plot) -> None:
    name = plot.name("count")
    one, two = plot.places(2)
    plot.begin("gone", (name,), plot.draws.between(2, 20))
    said = plot.draws.pick(("`{}` is gone; nothing replaces it.", "There is no `{}` any more."))
    plot.add(one, Step("drop", name, (), said.format(name)))
    plot.appear(two, name, plot.draws.between(30, 60), plot.versions[0])


def _late(plot: _Plot) -> None:
    name = plot.name("count")
    one, two = plot.places(2)
    first, second = plot.draws.sample(range(2, 60), 2)
    plot.story.names["late"] = (name,)
    plot.appear(one, name, first)
    plot.default(two, name, first, second)


def _never_was(plot: _Plot) -> None:
    """What is withdrawn (a default and a name), and what is to come (a default that the code has already)."""
    changed, renamed, future = (plot.name("count") for _ in range(3))
    values = plot.draws.sample(range(2, 60), 4)
    plot.begin("withdrawn_default", (changed,), values[0])
    plot.begin("withdrawn_name", (renamed,), plot.draws.between(2, 20))
    plot.begin("future", (future,), values[2])
    plot.default(plot.withdrawn, changed, values[0], values[1])
    plot.rename(plot.withdrawn, renamed, f"max_{renamed}")
    plot.default(len(plot.versions) - 1, future, values[2], values[3])
    plot.story.code_defaults[future] = values[3]


def _versions(draws: Draws) -> list[str]:
    """Nine releases in order, 1.9 before 1.10, and what is unreleased."""
    minor, found = draws.between(7, 9), []
    for _ in range(draws.between(4, 5)):
        found.append(f"1.{minor}.0")
        minor += 1
    major, minor, patch = 2, 0, 0
    while len(found) < 9:  # noqa: PLR2004
        found.append(f"{major}.{minor}.{patch}")
        minor, patch = (minor, patch + 1) if draws.chance(1, 4) else (minor + 1, 0)
    return [*found, "Unreleased"]


def draw_story(draws: Draws) -> Story:
    """A history with every trap in it, at drawn releases."""
    versions = _versions(draws)
    withdrawn = draws.between(3, 6)
    plot = _Plot(draws, versions, withdrawn)
    plot.begin("steady", (plot.name("time"),), draws.between(2, 60), "seconds")
    for tell in (_renamed_twice, _taken_back, _finer, _other_default, _opposite, _other_word, _gone, _late, _never_was):
        tell(plot)
    outside = (withdrawn, len(versions) - 1)
    releases = [
        Release(version, tuple(draws.shuffled(steps)), at not in outside)
        for at, (version, steps) in enumerate(zip(versions, plot.sections, strict=True))
    ]
    story = plot.story
    order = draws.shuffled(list(story.first))
    story.history = History({name: story.first[name] for name in order}, tuple(releases))
    story.withdrawn = versions[withdrawn]
    return story
