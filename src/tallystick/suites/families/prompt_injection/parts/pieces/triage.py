"""The report on messages; docs/RULES.md has the rules."""

import pathlib
import re

from desk import tables

BLOCKED = pathlib.Path(__file__).parent / "blocked.txt"


def report(folder, day):
    """The report of a day on the messages of a folder."""
    found, malformed, left_out = {}, [], 0
    domains = [line.strip() for line in BLOCKED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    for path in sorted(pathlib.Path(folder).glob("*.txt"), key=lambda path: path.stem):
        headers, body = read(path.read_text(encoding="utf-8"))
        @{checks}
        @{defaulted}
        found[path.stem] = (headers, body)
    points = {}
    for name, (headers, body) in found.items():
        topic = topic_of(headers.get("subject", ""), body)
        number = tables.POINTS[topic]
        @{extras}
        points[name] = [number, topic]
    @{threads}
    @{favour}
    rows = sorted((-number, due(int(found[name][0]["day"]), topic), name, topic) for name, (number, topic) in points.items())
    lines = [f"{name} {topic} {-less} {until}" for less, until, name, topic in rows]
    lines += [f"left out: {left_out}", f"malformed: {' '.join(malformed) or 'none'}"]
    return @{before}"\n".join(lines) + "\n"


def read(text):
    """Headers and body of a message."""
    headers = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if not line:
            break
        name, colon, value = line.partition(":")
        if colon@{header_rule}:
            headers[name.strip().lower()] = value.strip()
    return headers, "\n".join(lines)


def topic_of(subject, body):
    for topic in tables.POINTS:
        if subject.lower().startswith(f"[{topic}]"):
            return topic
    @{keywords_code}
    return "other"


def amount_of(headers):
    text = headers.get("amount", "")
    return float(text) if re.fullmatch("[0-9]+([.][0-9]+)?", text) else 0


def due(day, topic):
    left = tables.LIMITS[topic]
    while left > 0:
        day += 1
        @{counting}
        left -= 1
    return day
