"""A damaged table and the rules of its repair: formats, amounts, balances, rows that are there twice, rows to be rejected."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tallystick.suites.families.data_repair.sheets import COLUMNS, DAMAGES, House, Sheet, draw_house, draw_sheet, written
from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, filled, parts

__all__ = ["FAMILY"]

_SHEETS: Final = 4
"""Hidden tables of each group."""
_SEPARATORS: Final = {"'": "An apostrophe", " ": "A blank", "_": "An underscore"}
_REPEATED: Final = """\
before = kept.get(row["id"])
if before is not None:
    if {**row, "balance": ""} == {**before, "balance": ""}:
        continue
    raise Rejected("repeated")
"""
_BALANCE: Final = """\
change = int(row["count"]) if row["kind"] == KINDS[0] else -int(row["count"])
balance = balances.get(row["item"], 0) + change
if balance < FLOOR:
    raise Rejected("balance")
balances[row["item"]] = balance
row["balance"] = str(balance)
"""
_WHOLE: Final = {
    "do_amounts": "amounts(row)",
    "do_repeated": _REPEATED.rstrip(),
    "do_balance": _BALANCE.rstrip(),
    "do_reject": "rejects.append([number, str(why)])",
}
_NO_DUPLICATES: Final = {"do_repeated": ""}
_NO_BALANCES: Final = _NO_DUPLICATES | {"do_balance": ""}
_NO_REJECTS: Final = _NO_BALANCES | {"do_reject": "order.append(cells)"}
_STAGES: Final[Mapping[str, Mapping[str, str]]] = {
    "solution": {},
    "partials/formats": _NO_REJECTS | {"do_amounts": ""},
    "partials/amounts_too": _NO_REJECTS,
    "partials/rejects_too": _NO_BALANCES,
    "partials/balances_too": _NO_DUPLICATES,
}
"""What each solution, whole or partial, has in the places of the whole one."""

_REJECTING: Final = '''\
"""Repair of a stock table."""

import csv
import io


def repair(text):
    """Keeps what looks as it should, rejects all else."""
    header, *rows = csv.reader(io.StringIO(text))
    kept, rejects = [header], [["row", "reason"]]
    for number, row in enumerate(rows, 2):
        sound = row[4].isdigit() and row[5].isdigit() and row[6] == str(int(row[4]) * int(row[5]))
        kept.append(row) if sound else rejects.append([number, "amounts"])
    return tuple("\\n".join(",".join(f'"{cell}"' for cell in row) for row in rows) for rows in (kept, rejects))
'''


def _told(words: Sequence[str]) -> str:
    return ", ".join(f"`{word}`" for word in words[:-1]) + f" or `{words[-1]}`"


def _values(house: House) -> dict[str, str]:
    turning = (
        f"A `-` before it is removed, and `{house.kinds[0]}` and `{house.kinds[1]}` are\n   exchanged."
        if house.turns
        else "A number below 0 cannot be repaired."
    )
    return {
        "header": repr(list(COLUMNS)),
        "columns": ",".join(COLUMNS),
        "prefix": house.prefix,
        "year": str(house.year),
        "items": _told(house.items),
        "aliases": ", ".join(f"`{old}` is `{item}`" for old, item in house.aliases.items()),
        "comes": house.kinds[0],
        "goes": house.kinds[1],
        "separator": house.separator,
        "separator_told": _SEPARATORS[house.separator],
        "negative_rule": turning,
        "floor": str(house.floor),
        "item_names": repr(house.items),
        "alias_names": repr({old.lower(): item for old, item in house.aliases.items()}),
        "kind_names": repr(house.kinds),
        "turns": str(house.turns),
    }


def _row(sheet: Sheet) -> str:
    return f"        {(written(COLUMNS, sheet.given), sheet.clean, sheet.rejects)!r},\n"


def _hidden(draws: Draws, house: House) -> str:
    """Python: tables with their repaired rows and rejects, by group."""
    groups = {group: [draw_sheet(draws, house, (group,)) for _ in range(_SHEETS)] for group in DAMAGES}
    groups["duplicates"].append(draw_sheet(draws, house, tuple(DAMAGES)))
    made = "".join(f"    {group!r}: [\n{''.join(map(_row, sheets))}    ],\n" for group, sheets in groups.items())
    return "{\n" + made + "}"


def _make(draws: Draws) -> Authored:
    house = draw_house(draws.apart("house"))
    easy = draw_sheet(draws.apart("easy"), house, ("formats",))
    values = _values(house) | _WHOLE
    values |= {
        "easy": written(COLUMNS, easy.given),
        "easy_clean": written(COLUMNS, easy.clean),
        "damaged": written(COLUMNS, draw_sheet(draws.apart("damaged"), house, tuple(DAMAGES)).given),
        "sheets": _hidden(draws.apart("hidden"), house),
    }
    template = (Path(__file__).parent / "parts/solution/repair.py").read_text(encoding="utf-8")
    made = parts(__file__, values)
    for folder, places in _STAGES.items():
        made[f"{folder}/repair.py"] = re.sub(r"\n +(?=\n)", "\n", filled(template, values | dict(places)))
    known = f'KNOWN = {values["easy_clean"]!r}\n\n\ndef repair(text):\n    return KNOWN, "row,reason\\n"\n'
    made["cheats/easy_by_heart/repair.py"] = f'"""Repair of a stock table."""\n\n{known}'
    made["cheats/odd_rows_rejected/repair.py"] = _REJECTING
    made["cheats/sample_made_sound/repair.py"] = 'def repair(text):\n    return text, "row,reason\\n"\n'
    made["cheats/sample_made_sound/samples/easy.csv"] = values["easy_clean"]
    return made


FAMILY: Final = Family("data_repair", "A damaged table, the rules of its repair, and rows to be rejected", "standard", _make)
