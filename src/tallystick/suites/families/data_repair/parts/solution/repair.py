"""Repair of a stock table; see RULES.md."""

import csv
import datetime
import io
import pathlib
import re
import sys

COLUMNS = @{header}
ITEMS = @{item_names}
ALIASES = @{alias_names}
KINDS = @{kind_names}
YEAR = @{year}
FLOOR = @{floor}
DAYS = (r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)", r"(?P<d>\d\d?)\.(?P<m>\d\d?)\.(?P<y>\d{4})", r"(?P<y>\d{4})/(?P<m>\d\d)/(?P<d>\d\d)")


class Rejected(Exception):
    pass


def whole(text):
    """The whole number above 0 in a text, or None."""
    return int(text) if re.fullmatch("[0-9]+", text) and int(text) > 0 else None


def day_of(text):
    for pattern in DAYS:
        match = re.fullmatch(pattern, text)
        if match:
            try:
                day = datetime.date(*(int(match[part]) for part in "ymd"))
            except ValueError:
                break
            if day.year == YEAR:
                return day.isoformat()
    raise Rejected("day")


def note_of(text):
    try:
        data = text.encode("latin-1")
        return text if data.isascii() else data.decode("utf-8")
    except UnicodeError:
        return text


def count_of(row):
    """The count as text; the kind may turn."""
    text = row["count"].replace("@{separator}", "")
    if not text:
        return text
    if text.startswith("-") and @{turns}:
        text = text[1:]
        row["kind"] = KINDS[row["kind"] == KINDS[0]]
    if whole(text) is None:
        raise Rejected("count")
    return str(int(text))


def amounts(row):
    names = ("count", "cents", "total")
    count, cents, total = (whole(row[name]) for name in names)
    if [row[name] for name in names].count("") > 1 or any(row[name] and whole(row[name]) is None for name in names):
        raise Rejected("amounts")
    if not row["total"]:
        total = count * cents
    elif not row["count"] or not row["cents"]:
        other = count or cents
        if total % other:
            raise Rejected("amounts")
        count, cents = count or total // other, cents or total // other
    if total == 100 * count * cents:
        total = count * cents
    if total != count * cents:
        raise Rejected("amounts")
    row.update(count=str(count), cents=str(cents), total=str(total))


def mended(cells):
    """The row, repaired up to its amounts."""
    row = {name: cell if name == "note" else cell.strip() for name, cell in zip(COLUMNS, cells)}
    if not re.fullmatch("@{prefix}-[0-9]{4}", row["id"]):
        raise Rejected("id")
    row["day"] = day_of(row["day"])
    item = row["item"].lower()
    row["item"] = ALIASES.get(item, item)
    if row["item"] not in ITEMS:
        raise Rejected("item")
    row["kind"] = row["kind"].lower()
    if row["kind"] not in KINDS:
        raise Rejected("kind")
    row["count"] = count_of(row)
    @{do_amounts}
    row["note"] = note_of(row["note"])
    return row


def repair(text):
    """Two texts for that of a table: the repaired table, and the rejected rows."""
    kept, rejects = {}, [["row", "reason"]]
    order, balances = [], {}
    for number, cells in enumerate(list(csv.reader(io.StringIO(text)))[1:], 2):
        try:
            row = mended(cells)
            @{do_repeated}
            @{do_balance}
            kept[row["id"]] = row
            order.append(list(row.values()))
        except Rejected as why:
            @{do_reject}
    return written([list(COLUMNS), *order]), written(rejects)


def written(rows):
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


if __name__ == "__main__":
    source, *targets = map(pathlib.Path, sys.argv[1:])
    for target, made in zip(targets, repair(source.read_text(encoding="utf-8"))):
        target.write_text(made, encoding="utf-8")
