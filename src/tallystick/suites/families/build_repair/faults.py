"""The configuration as it should be, and what can be wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tallystick.suites.families.build_repair.delivery import ROLES, Shop
from tallystick.suites.families.draws import Draws

__all__ = ["Config", "draw_faults", "loud_faults", "repaired", "right_config", "silent_faults", "spoiled", "written"]

Config = Mapping[str, Mapping[str, str]]
"""Keys and values of the parts of a configuration, by section: `build`, `values`, and a role for each target."""
Fault = tuple[str, str, str]
"""Section, key, and the wrong value; without a value the key is not there."""
_FILES: Final = {"config/pages.ini": ("release", "notes", "all"), "config/lists.ini": ("list", "groups", "labels")}


def _column(shop: Shop, field: str) -> str:
    return str(shop.order.index(field) + 1)


def _columns(shop: Shop) -> list[str]:
    return [_column(shop, field) for field in shop.shown]


def right_config(shop: Shop) -> Config:
    """The repaired configuration."""
    mark = "\\|" if shop.delimiter == "|" else shop.delimiter
    state = shop.order.index("state")
    skipped = f"([^{shop.delimiter}]*{mark}){{{state}}}" if state else ""
    sources = {"release": "data/release.txt", "list": "data/items.txt", "notes": f"notes/{_undrafted(shop)}*.md"}
    return {
        "build": {"values": "config/defaults.ini data/site.ini", "targets": " ".join(_FILES)},
        "values": {
            "delimiter": shop.delimiter,
            "version": "0.0",
            "title": shop.theme.site,
            "edition": "0",
            "base": "https://localhost",
            "address": "${base}/v${version}",
        },
        "release": {"from": sources["release"], "expand": "yes", "to": f"{shop.name('release')}.txt"},
        "list": {
            "from": sources["list"],
            "keep": f"^{skipped}{shop.theme.good}({mark}|$)",
            "sort": f"{_column(shop, 'amount')} number",
            "columns": " ".join(_columns(shop)),
            "join": f'"{shop.joined}"',
            "to": f"{shop.name('list')}.txt",
        },
        "groups": {
            "like": shop.name("list"),
            "sort": f"{_column(shop, 'group')} text",
            "columns": _column(shop, "group"),
            "unique": "yes",
            "to": f"{shop.name('groups')}.txt",
        },
        "notes": {
            "from": sources["notes"],
            "drop": f"^{shop.comment}",
            "head": '"# ${title}, ${edition}"',
            "to": f"{shop.name('notes')}.txt",
        },
        "labels": {
            "from": f"@{shop.name('list')}",
            "each": '"[${version}] {}"',
            "ends": "crlf",
            "encoding": "latin-1",
            "to": f"{shop.name('labels')}.txt",
        },
        "all": {
            "from": " ".join(f"@{shop.name(role)}" for role in shop.parts),
            "foot": '"end of ${title}"',
            "to": f"{shop.name('all')}.txt",
        },
    }


def _undrafted(shop: Shop) -> str:
    return f"[!{shop.draft[0]}]"


def silent_faults(shop: Shop) -> Mapping[str, tuple[Fault, ...]]:
    """By role, what makes the target's file wrong without a word."""
    shown, amount, name = _columns(shop), _column(shop, "amount"), _column(shop, "name")
    parts = [f"@{shop.name(role)}" for role in shop.parts]
    state = f"{shop.theme.good}"
    return {
        "release": (
            ("build", "values", "data/site.ini config/defaults.ini"),
            ("values", "address", "${base}/${version}"),
            ("values", "address", "${base}/v${edition}"),
            ("release", "expand", ""),
        ),
        "list": (
            ("list", "sort", f"{amount} text"),
            ("list", "sort", f"{amount} number down"),
            ("list", "sort", f"{name} text"),
            ("list", "keep", state),
            ("list", "columns", f"{shown[1]} {shown[0]} {shown[2]}"),
            ("list", "join", f'"{shop.joined.strip() or " "}"'),
        ),
        "groups": (
            ("groups", "unique", ""),
            ("groups", "sort", f"{_column(shop, 'group')} text down"),
            ("groups", "sort", ""),
            ("groups", "keep", state),
        ),
        "notes": (
            ("notes", "from", "notes/*.md"),
            ("notes", "drop", shop.comment),
            ("notes", "head", '"# ${title}, ${version}"'),
            ("notes", "drop", ""),
        ),
        "labels": (
            ("labels", "ends", ""),
            ("labels", "encoding", ""),
            ("labels", "each", '"[${version}]{}"'),
            ("labels", "each", '"[${edition}] {}"'),
            ("labels", "ends", "lf"),
        ),
        "all": (
            ("all", "from", " ".join([parts[1], parts[0], *parts[2:]])),
            ("all", "from", " ".join(parts[:3])),
            ("all", "from", " ".join([*parts[:3], f"@{shop.name('list')}"])),
            ("all", "foot", '"end of ${base}"'),
        ),
    }


def loud_faults(shop: Shop) -> Mapping[str, tuple[Fault, ...]]:
    """By role, what keeps the target from being made."""
    return {
        "release": (("values", "address", "${bases}/v${version}"), ("release", "expands", "no")),
        "list": (("list", "sorting", "yes"), ("list", "colums", "1 2 3"), ("list", "encoding", "utf8-sig8")),
        "groups": (("groups", "like", f"{shop.name('list')}s"), ("groups", "like", shop.name("groups"))),
        "notes": (("notes", "title", "${title}"), ("notes", "keep", "(.*")),
        "labels": (("labels", "foot", "${editor}"), ("labels", "ends", "windows")),
        "all": (("all", "head", "${titel}"), ("all", "unique-lines", "no")),
    }


def draw_faults(shop: Shop, draws: Draws) -> Mapping[str, tuple[Fault, ...]]:
    """By role: one silent fault, and in three of them a loud one too, of another key."""
    silent = {role: draws.pick(faults) for role, faults in silent_faults(shop).items()}
    loud = {}
    for role in draws.sample(ROLES, 3):
        fitting = [fault for fault in loud_faults(shop)[role] if fault[:2] != silent[role][:2]]
        loud[role] = draws.pick(fitting)
    return {role: (silent[role], *([loud[role]] if role in loud else [])) for role in ROLES}


def spoiled(config: Config, faults: tuple[Fault, ...]) -> Config:
    """The configuration with these faults."""
    made = {section: dict(keys) for section, keys in config.items()}
    for section, key, value in faults:
        if value:
            made[section][key] = value
        else:
            made[section].pop(key, None)
    return made


def repaired(shop: Shop, faults: Mapping[str, tuple[Fault, ...]], roles: tuple[str, ...]) -> Config:
    """The configuration with the faults of all roles but these."""
    left = tuple(fault for role in ROLES if role not in roles for fault in faults[role])
    return spoiled(right_config(shop), left)


def written(shop: Shop, config: Config) -> dict[str, str]:
    """The files of a configuration."""
    made = {
        "config/build.ini": _section("build", config["build"]),
        "config/defaults.ini": _section("values", config["values"]),
    }
    for path, roles in _FILES.items():
        made[path] = "\n".join(_section(f"target {shop.name(role)}", config[role]) for role in roles)
    return made


def _section(name: str, keys: Mapping[str, str]) -> str:
    return f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())
