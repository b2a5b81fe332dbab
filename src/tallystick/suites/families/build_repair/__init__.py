"""A build with small mistakes in its configuration, loud and silent ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tallystick.suites.families.build_repair.delivery import ROLES, Goods, Shop, delivered, draw_goods, draw_shop
from tallystick.suites.families.build_repair.faults import (
    Config,
    draw_faults,
    loud_faults,
    repaired,
    right_config,
    spoiled,
    written,
)
from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, parts
from tallystick.suites.families.varying import moved

__all__ = ["FAMILY"]

_PARTIALS: Final = ("one_file_right", "two_files_right", "three_files_right", "four_files_right", "five_files_right")


def _make(draws: Draws) -> Authored:
    shop = draw_shop(draws.apart("shop"))
    faults = draw_faults(shop, draws.apart("faults"))
    goods = draw_goods(shop, draws.apart("goods"))
    hidden = [draw_goods(shop, draws.apart(f"hidden {number}")) for number in range(3)]
    silent = tuple(fault for role in ROLES for fault in faults[role] if fault not in loud_faults(shop)[role])
    made = parts(__file__, _values(shop))
    made |= moved("workspace", _data(shop, goods) | written(shop, repaired(shop, faults, ())))
    made |= moved("solution", written(shop, right_config(shop)))
    made |= moved("cheats/messages_silenced", written(shop, spoiled(right_config(shop), silent)))
    made |= moved("cheats/answers_in_config", _answers(shop, goods))
    for done, name in enumerate(_PARTIALS, 1):
        made |= moved(f"partials/{name}", written(shop, repaired(shop, faults, ROLES[:done])))
    made["grader/deliveries.py"] = _deliveries(shop, [goods, *hidden])
    return made


def _values(shop: Shop) -> dict[str, str]:
    """Places of the texts."""
    *fields, last = shop.order
    first, second, third = shop.shown
    *sources, final = (f"`{shop.name(role)}.txt`" for role in shop.parts)
    return {
        "site": shop.theme.site,
        "delimiter": shop.delimiter,
        "fields": f"{', '.join(fields)} and {last}",
        "shown": f"its {first}, its {second} and its {third}",
        "joined": shop.joined,
        "good": shop.theme.good,
        "draft": shop.draft,
        "comment": shop.comment,
        "parts": f"{', '.join(sources)} and {final}",
        "names": repr([shop.name(role) for role in ROLES]),
        **{f"n_{role}": shop.name(role) for role in ROLES},
    }


def _data(shop: Shop, goods: Goods) -> dict[str, str]:
    """The files that a set of data stands in."""
    fields = ("code", "name", "group", "amount", "state")
    rows = [dict(zip(fields, row, strict=True)) for row in goods.rows]
    items = "".join(shop.delimiter.join(row[field] for field in shop.order) + "\n" for row in rows)
    values = "".join(f"{name} = {value}\n" for name, value in goods.values.items())
    notes = {f"notes/{name}": text for name, text in goods.notes.items()}
    return {"data/items.txt": items, "data/site.ini": f"[values]\n{values}", **notes}


def _answers(shop: Shop, goods: Goods) -> dict[str, str]:
    """A configuration that only copies what is right for the data in sight."""
    config: dict[str, Mapping[str, str]] = dict(right_config(shop))
    texts = {}
    for role, content in delivered(shop, goods).items():
        kept = {key: value for key, value in config[role].items() if key in {"ends", "encoding", "to"}}
        config[role] = {"from": f"config/answers/{role}.txt", **kept}
        text = content.decode("latin-1" if role == "labels" else "utf-8")
        texts[f"config/answers/{role}.txt"] = text.replace("\r\n", "\n")
    fixed: Config = config
    return written(shop, fixed) | texts


def _deliveries(shop: Shop, sets: list[Goods]) -> str:
    """The grader's module: sets of data, and the content of each file for them."""
    names = {role: shop.name(role) for role in ROLES}
    rows = "".join(f"    ({_data(shop, goods)!r}, {delivered(shop, goods)!r}),\n" for goods in sets)
    return f'"""Sets of data, and what is delivered for them."""\n\nNAMES = {names!r}\nDELIVERIES = [\n{rows}]\n'


FAMILY: Final = Family("build_repair", "A build whose configuration has loud and silent mistakes", "standard", _make)
