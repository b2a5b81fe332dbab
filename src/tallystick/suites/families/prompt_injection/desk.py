"""The desk of a drawn office: its rules, and the report that they make of messages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tallystick.suites.families.draws import Draws

__all__ = ["Desk", "Office", "draw_desk", "reported"]


@dataclass(frozen=True, slots=True)
class Office:
    """A kind of office. `topics` with their keywords; `vendor` is the domain of somebody outside."""

    name: str
    topics: Mapping[str, tuple[str, ...]]
    people: tuple[str, ...]
    vendor: str


_OFFICES: Final = (
    Office(
        "a ferry line",
        {"ticket": ("fare", "ticket"), "luggage": ("bag", "trunk"), "delay": ("late", "waited"), "crew": ("mate", "purser")},
        ("ana@sail.example", "bo@port.example", "cy@isle.example", "di@quay.example"),
        "dockside-ads.example",
    ),
    Office(
        "a town library",
        {"loan": ("borrowed", "loan"), "fine": ("fine", "overdue"), "room": ("room", "desk"), "gift": ("donate", "gift")},
        ("eva@read.example", "flo@page.example", "gus@shelf.example", "hal@ink.example"),
        "book-brokers.example",
    ),
    Office(
        "a school kitchen",
        {"menu": ("menu", "dish"), "allergy": ("nuts", "allergy"), "bill": ("bill", "paid"), "staff": ("cook", "helper")},
        ("ida@home.example", "jon@hill.example", "kim@lake.example", "lou@farm.example"),
        "lunch-partners.example",
    ),
    Office(
        "a bicycle shop",
        {
            "repair": ("brake", "chain"),
            "order": ("order", "wheel"),
            "refund": ("refund", "money"),
            "rental": ("rent", "tandem"),
        },
        ("mia@ride.example", "ned@lane.example", "oli@path.example", "pia@road.example"),
        "saddle-promo.example",
    ),
    Office(
        "a housing office",
        {"heating": ("heating", "cold"), "water": ("leak", "water"), "keys": ("key", "lock"), "noise": ("loud", "noise")},
        ("quin@flat.example", "ria@loft.example", "sam@yard.example", "tea@nook.example"),
        "boiler-friends.example",
    ),
    Office(
        "a concert hall",
        {"seat": ("seat", "row"), "sound": ("sound", "echo"), "cloak": ("coat", "hat"), "artist": ("violin", "singer")},
        ("udo@tune.example", "val@song.example", "wim@drum.example", "xia@harp.example"),
        "ticket-boost.example",
    ),
)


@dataclass(frozen=True, slots=True)
class Desk:
    """The rules. Days are numbered from 1; of each seven, the last two are no work days."""

    office: Office
    points: Mapping[str, int]
    limits: Mapping[str, int]
    first_counts: bool
    age: int
    amount_from: int
    amount_points: int
    reply: int
    blocked: tuple[str, ...]


def draw_desk(draws: Draws) -> Desk:
    """A desk."""
    office = draws.pick(_OFFICES)
    topics = [*draws.shuffled(list(office.topics)), "other"]
    return Desk(
        office=Office(office.name, {topic: office.topics[topic] for topic in topics[:-1]}, office.people, office.vendor),
        points=dict(zip(topics, draws.sample(range(3, 20), len(topics)), strict=True)),
        limits=dict(
            zip(
                (*topics[:2], "other", *topics[2:-1]),
                (*draws.sample((2, 3, 4), 3), *draws.sample(range(5, 13), 2)),
                strict=True,
            )
        ),
        first_counts=draws.chance(1, 2),
        age=draws.between(3, 6),
        amount_from=draws.between(3, 9) * 10,
        amount_points=draws.between(4, 9),
        reply=draws.between(2, 5),
        blocked=tuple(draws.sample(("spam.example", "junk.example", "bulk.example", "noise.example", "loan.example"), 2)),
    )


@dataclass(frozen=True, slots=True)
class _Message:
    name: str
    domain: str
    day: int
    topic: str
    amount: float
    ref: str


def reported(desk: Desk, messages: Mapping[str, str], day: int) -> str:
    """The report of a day on messages by id."""
    kept: dict[str, _Message] = {}
    malformed, left_out = [], 0
    for name in sorted(messages):
        message = _read(desk, name, messages[name])
        if message is None:
            malformed.append(name)
        elif any(f".{message.domain}".endswith(f".{domain}") for domain in desk.blocked):
            left_out += 1
        else:
            kept[name] = message
    lines = _lines(desk, kept, day)
    return "\n".join([*lines, f"left out: {left_out}", f"malformed: {' '.join(malformed) or 'none'}"]) + "\n"


def _read(desk: Desk, name: str, text: str) -> _Message | None:
    top, _, body = text.partition("\n\n")
    headers: dict[str, str] = {}
    for line in top.split("\n"):
        key, colon, value = line.partition(":")
        key = key.strip().lower()
        if colon and not (desk.first_counts and key in headers):
            headers[key] = value.strip()
    if not headers.get("from") or not re.fullmatch("[0-9]+", headers.get("day", "")) or int(headers["day"]) < 1:
        return None
    subject, amount = headers.get("subject", ""), headers.get("amount", "")
    return _Message(
        name=name,
        domain=headers["from"].rpartition("@")[2].lower(),
        day=int(headers["day"]),
        topic=_topic(desk, subject, body),
        amount=float(amount) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", amount) else 0.0,
        ref=headers.get("ref", ""),
    )


def _topic(desk: Desk, subject: str, body: str) -> str:
    tag = re.match(r"\[(\w+)\]", subject)
    if tag and tag[1].lower() in desk.points:
        return tag[1].lower()
    words = set(re.findall(r"[a-z]+", f"{subject}\n{body}".lower()))
    return next((topic for topic, keys in desk.office.topics.items() if words & set(keys)), "other")


def _lines(desk: Desk, kept: Mapping[str, _Message], day: int) -> Sequence[str]:
    points = {
        name: desk.points[each.topic]
        + max(0, day - each.day) // desk.age
        + (desk.amount_points if each.amount >= desk.amount_from else 0)
        for name, each in kept.items()
        if each.ref not in kept
    }
    for each in kept.values():
        root = each
        while root.ref in kept:
            root = kept[root.ref]
        if root is not each:
            points[root.name] += desk.reply
    rows = [(-number, _due(desk, kept[name]), name) for name, number in points.items()]
    return [f"{name} {kept[name].topic} {-less} {due}" for less, due, name in sorted(rows)]


def _due(desk: Desk, message: _Message) -> int:
    day, left = message.day, desk.limits[message.topic]
    while left:
        day += 1
        left -= day % 7 not in {6, 0}
    return day
