"""Files and their records."""

import sys

from @{prog} import amounts
from @{prog}.problems import Stop


def read(settings, messages):
    """((key, value) of every good record, exit status); what is wrong goes to `messages`."""
    rows, unreadable, bad = [], False, False
    stdin_read = False
    for name in settings["files"] or ["-"]:
        if name == "-":
            data = b"" if stdin_read else sys.stdin.buffer.read()
            stdin_read, told = True, "@{stdin_name}"
        else:
            try:
                with open(name, "rb") as stream:
                    data, told = stream.read(), name
            except OSError:
                messages.append(f"{name}: cannot be read")
                unreadable = True
                continue
        for number, text in enumerate(data.decode("utf-8").split("\n"), 1):
            text = text.removesuffix("\r")
            if not text.strip(" \t") or text.lstrip(" \t").startswith("@{comment}"):
                continue
            row = record(text, settings)
            if row:
                rows.append(row)
                continue
            @{bad_record}
    return rows, @{unreadable_status} if unreadable else @{lenient_status} if bad else 0


def record(text, settings):
    """(key, value) of a record, or None of a bad one."""
    fields = [field.strip(" \t") for field in text.split(settings["delimiter"])]
    if len(fields) < settings["key"] or fields[settings["key"] - 1] == "":
        return None
    key = fields[settings["key"] - 1]
    if settings["measure"] == "count":
        return key, 1
    if len(fields) < settings["value"]:
        return None
    value = amounts.parse(fields[settings["value"] - 1])
    return None if value is None else (key, value)
