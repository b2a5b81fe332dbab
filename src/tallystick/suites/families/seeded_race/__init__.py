"""Functions of a desk that many tasks run at once, stepped by a seeded kernel: races, deadlocks and needless waiting."""

from __future__ import annotations

import re
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, parts
from tallystick.suites.families.seeded_race.bodies import RIGHT, WRONG
from tallystick.suites.families.varying import below, moved, renamed, varied

__all__ = ["FAMILY"]

_DESKS: Final = (
    {
        "pkg": "stallkeeper",
        "place": "a market stall",
        "item": "ware",
        "f": "ticket take price ship pay tally",
        "s": "inspect quote carrier bank",
        "c": "tickets stock prices order purse",
    },
    {
        "pkg": "lendery",
        "place": "a library",
        "item": "title",
        "f": "card lend record post shift census",
        "s": "shelf index courier warden",
        "c": "cards copies records loan branch",
    },
    {
        "pkg": "ferrydesk",
        "place": "a ferry",
        "item": "deck",
        "f": "boarding_no board tide depart rebook muster",
        "s": "lookout almanac bridge purser",
        "c": "passes places tides sailing cabin",
    },
    {
        "pkg": "pharmacy",
        "place": "a dispensary",
        "item": "drug",
        "f": "slip dispense leaflet deliver exchange count",
        "s": "label registry rider chemist",
        "c": "slips shelf leaflets parcel drawer",
    },
    {
        "pkg": "greenroom",
        "place": "a theatre",
        "item": "row",
        "f": "stub seat script cue swap roll",
        "s": "usher prompter stage house",
        "c": "stubs seats scripts cues box",
    },
    {
        "pkg": "depotline",
        "place": "a depot",
        "item": "part",
        "f": "docket draw manual dispatch transfer inventory",
        "s": "gauge printer van foreman",
        "c": "dockets bins manuals job store",
    },
)
_FUNCTIONS: Final = ("number", "take", "fetch", "send", "move", "audit")
_SERVICES: Final = ("check", "load", "carry", "approve")
_CELLS: Final = ("number", "stock", "cache", "order", "account")


def _names(draws: Draws) -> dict[str, str]:
    """Names of a desk: its functions (f_), services (s_) and cells (c_), each drawn from any of the desks."""
    desk = draws.pick(_DESKS)
    kinds = (("f", _FUNCTIONS), ("s", _SERVICES), ("c", _CELLS))
    named = {f"{kind}_{role}": draws.pick(_DESKS)[kind].split()[at] for kind, roles in kinds for at, role in enumerate(roles)}
    return {name: desk[name] for name in ("pkg", "place", "item")} | named


def _make(draws: Draws) -> Authored:
    names = _names(draws)
    right = {f"right_{role}": body.format(**names) for role, body in RIGHT.items()}
    wrong = {f"wrong_{role}": draws.pick(bodies).format(**names) for role, bodies in WRONG.items()}
    made = renamed(parts(__file__, {**names, **right, **wrong, "seed": draws.hex(15)}), {"package": names["pkg"]})
    kernel, desk = (f"{names['pkg']}/{name}.py" for name in ("kernel", "desk"))
    made["grader/machine.py"] = _machine(made[f"workspace/{kernel}"])
    solution = below("solution", made)
    text, found = made[f"workspace/{desk}"], dict(made)
    stages = dict(zip(("number", "take", "fetch", "send", "move"), _STAGES, strict=True))
    for role, stage in stages.items():
        text = text.replace(_indented(wrong[f"wrong_{role}"]), _indented(right[f"right_{role}"]))
        found |= moved(f"partials/{stage}", {desk: text})
    tamed = varied({kernel: made[f"workspace/{kernel}"]}, kernel, ("self.below(len(ready))", "0"))
    found |= moved("cheats/one_lock_for_everything", {desk: _one_lock(solution[desk], names)})
    found |= moved("cheats/calls_left_out", {desk: solution[desk].replace(*_call(names))})
    found |= moved("cheats/locks_in_python", {desk: _python_locks(solution[desk], names)})
    return found | moved("cheats/kernel_tamed", tamed)


_STAGES: Final = ("numbers_only", "stock_too", "cached_too", "sent_too", "counting_left")


def _indented(body: str) -> str:
    return body.replace("\n", "\n    ")


def _call(names: dict[str, str]) -> tuple[str, str]:
    """The call that a take makes, and nothing instead."""
    return f'    yield "call", "{names["s_check"]}", {names["item"]}\n', ""


def _machine(kernel: str) -> str:
    """The kernel for both sides of the grader: as text for the subject's process, and here."""
    return f"\"\"\"The kernel that the grader trusts.\"\"\"\n\nSOURCE = r'''{kernel}'''\nexec(SOURCE)\n"


_ALONE: Final = """

def _alone(task):
    yield "lock", "all"
    result = yield from task
    yield "unlock", "all"
    return result
"""


def _one_lock(solution: str, names: dict[str, str]) -> str:
    """The right functions, each with one lock around it."""
    text = solution
    for role in _FUNCTIONS:
        name = names[f"f_{role}"]
        head = next(line for line in solution.splitlines() if line.startswith(f"def {name}("))
        arguments = head[len(f"def {name}(") : -2]
        text = text.replace(head, head.replace(f"def {name}", f"def _alone_{name}"))
        text += f"\n\n{head}\n    return (yield from _alone(_alone_{name}({arguments})))\n"
    return text + _ALONE


def _python_locks(solution: str, names: dict[str, str]) -> str:
    """The right functions, with a variable of Python for the locks under which nothing is called."""
    head, *functions = re.split(r"(?m)^(?=def )", solution)
    calling = tuple(f"def {names[f'f_{role}']}(" for role in ("fetch", "send"))
    bodies = [body if body.startswith(calling) else _LOCKED.sub(_in_python, body) for body in functions]
    return f"{head}HELD = set()\n\n\n{''.join(bodies)}"


_LOCKED: Final = re.compile(r'^( *)yield "(lock|unlock)", (.+)$', re.MULTILINE)


def _in_python(match: re.Match[str]) -> str:
    indent, what, lock = match.groups()
    if what == "unlock":
        return f"{indent}HELD.discard({lock})"
    return f'{indent}while {lock} in HELD:\n{indent}    yield "read", "nothing"\n{indent}HELD.add({lock})'


FAMILY: Final = Family("seeded_race", "Races under a seeded kernel, mended without making others wait", "stretch", _make)
