"""Queries over a tree that is far away, judged by trips and nodes that the grader counts while it answers them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, parts
from tallystick.suites.families.varying import below, moved, renamed, varied

__all__ = ["FAMILY"]

_SUBJECTS: Final = (
    ("coastline", "readings of tide gauges by minute"),
    ("granary", "weights of lots by number"),
    ("railyard", "loads of wagons by number"),
    ("observatory", "brightness of stars by number"),
    ("apiary", "weights of hives by day"),
    ("archive", "pages of volumes by number"),
    ("vineyard", "sugar of vats by hour"),
    ("reservoir", "levels of basins by hour"),
)
_KIDS: Final = (("kids", "items"), ("below", "rows"), ("parts", "entries"), ("nodes", "cells"), ("links", "pairs"))
_ENDS: Final = (("low", "high"), ("first", "last"), ("from", "to"), ("start", "end"))
_SUMS: Final = (("sum", "digest"), ("total", "mark"), ("amount", "print"), ("weight", "seal"))
_FLAGS: Final = (("settled", True), ("open", False), ("closed", True), ("dirty", False), ("final", True), ("busy", False))
_MARKS: Final = ("=", "->", "see ", "@", "*")


def _names(draws: Draws) -> dict[str, str]:
    """Names and rules of one tree; `last` and `end` are exclusive or inclusive as drawn."""
    package, what = draws.pick(_SUBJECTS)
    (kids, items), (low, high), (total, digest) = draws.pick(_KIDS), draws.pick(_ENDS), draws.pick(_SUMS)
    (flag, good), mark = draws.pick(_FLAGS), draws.pick(_MARKS)
    exclusive, omitted = draws.chance(1, 2), draws.chance(1, 2)
    values = {
        "pkg": package,
        "what": what,
        "kids": kids,
        "items": items,
        "low": low,
        "high": high,
        "sum": total,
        "digest": digest,
    }
    got = {4: 11, 9: f"{mark}21", 21: 7}
    return values | {
        "flag": flag,
        "trusted": "true" if good else "false",
        "doubtful": "false" if good else "true",
        "trusted_python": repr(good),
        "flag_of": "not doubt" if good else "doubt",
        "mark": mark,
        "mark_length": str(len(mark)),
        "high_rule": f"below `{high}`" if exclusive else f"at most `{high}`",
        "high_sign": "<" if exclusive else "<=",
        "less_one": " - 1" if exclusive else "",
        "plus_one": " + 1" if exclusive else "",
        "end_1": "11" if exclusive else "10",
        "end_2": "31" if exclusive else "30",
        "missing_rule": "left out" if omitted else "None",
        "missing_naive": "# Keys that are not there are left out." if omitted else "found.setdefault(key, None)",
        "found_start": "{}" if omitted else "dict.fromkeys(keys)",
        "missing_kept": repr(not omitted),
        "got": repr(got if omitted else {**got, 10: None}),
        "seed": draws.hex(16),
    }


def _blocks(text: str) -> dict[str, str]:
    """The functions of a module by name, in order."""
    chunks = text.rstrip("\n").split("\n\n\ndef ")[1:]
    return {chunk.partition("(")[0]: f"def {chunk}" for chunk in chunks}


def _mixed(naive: str, better: str, *names: str) -> str:
    """The naive module with the better functions of `names`."""
    head = naive.partition("\n\n\ndef ")[0]
    slow, fast = _blocks(naive), _blocks(better)
    mixed = {**slow, **{name: fast[name] for name in ("_covers", "_trusted", *names)}}
    return "\n\n\n".join([head, *mixed.values()]) + "\n"


_DOUBTS: Final = "if one and other and _trusted(one) and _trusted(other) and"
_ALL_AT_ONCE: Final = """

def _known(roots):
    known, wanted = {}, list(roots)
    while wanted:
        known.update((yield wanted))
        wanted = [entry["id"] for name in wanted for entry in known[name].get(KIDS, ())]
    return known


def _from_all(query, *roots):
    known = yield from _known(roots)
    try:
        ids = next(query)
        while True:
            ids = query.send({name: known[name] for name in ids})
    except StopIteration as stopped:
        return stopped.value
"""
"""A cheat's detour: every node is fetched level by level, and the old functions are run on them."""


def _at_once(naive: str, kids: str) -> str:
    """The naive module run on nodes that are all fetched before."""
    roots = {"get": ("root", "keys"), "total": ("root", "least", "most"), "diff": ("one", "other"), "resolve": ("root", "keys")}
    for name in roots:
        naive = naive.replace(f"def {name}(", f"def _slow_{name}(")
    wrapped = [
        f"\n\ndef {name}({', '.join(names)}):\n"
        f"    return (yield from _from_all(_slow_{name}({', '.join(names)}), {'one, other' if name == 'diff' else 'root'}))\n"
        for name, names in roots.items()
    ]
    return naive + _ALL_AT_ONCE.replace("KIDS", repr(kids)) + "".join(wrapped)


def _make(draws: Draws) -> Authored:
    values = _names(draws)
    made = renamed(parts(__file__, values), {"package": values["pkg"]})
    path, store = f"{values['pkg']}/queries.py", f"{values['pkg']}/store.py"
    naive, better = made[f"workspace/{path}"], made[f"solution/{path}"]
    solution = below("solution", made)
    trusting = varied(solution, path, (f'return entry["{values["flag"]}"] is {values["trusted_python"]}', "return True"))[path]
    stages = {
        "get_only": _mixed(naive, better, "get"),
        "totals_trusting": _mixed(naive, trusting, "get", "total"),
        "totals": _mixed(naive, better, "get", "total"),
        "differences_trusting": _mixed(
            naive, better.replace(_DOUBTS, "if one and other and"), "get", "total", "diff", "_apart"
        ),
        "differences": _mixed(naive, better, "get", "total", "diff", "_apart"),
    }
    cheats: Mapping[str, dict[str, str]] = {
        "every_summary_trusted": {path: trusting},
        "everything_fetched_at_once": {path: _at_once(naive, values["kids"])},
        "counter_stopped": varied({store: made[f"workspace/{store}"]}, store, ("self.trips += 1", "self.trips += 0")),
    }
    found = dict(made)
    for name, text in stages.items():
        found |= moved(f"partials/{name}", {path: text})
    for name, files in cheats.items():
        found |= moved(f"cheats/{name}", files)
    return found


FAMILY: Final = Family("operation_count", "Queries judged by counted trips and nodes", "stretch", _make)
