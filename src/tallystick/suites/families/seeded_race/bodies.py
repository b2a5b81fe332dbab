"""The desk's functions: the right body of each, and wrong ones that only show when tasks run at once."""

from __future__ import annotations

from typing import Final

__all__ = ["RIGHT", "WRONG"]

RIGHT: Final = {
    "number": """\
yield "lock", "numbers"
last = yield "read", "{c_number}"
last = (last or 0) + 1
yield "write", "{c_number}", last
yield "unlock", "numbers"
return last""",
    "take": """\
cell = f"{c_stock} {{{item}}}"
yield "call", "{s_check}", {item}
yield "lock", cell
left = yield "read", cell
enough = left >= count
if enough:
    yield "write", cell, left - count
yield "unlock", cell
return enough""",
    "fetch": """\
cell = f"{c_cache} {{key}}"
yield "lock", cell
value = yield "read", cell
if value is None:
    good, answer = yield "call", "{s_load}", key
    if good:
        value = answer
        yield "write", cell, value
yield "unlock", cell
return value""",
    "send": """\
cell = f"{c_order} {{order}}"
yield "lock", cell
good = False
if (yield "read", cell) != "sent":
    good, _ = yield "call", "{s_carry}", order
    if good:
        yield "write", cell, "sent"
yield "unlock", cell
return good""",
    "move": """\
yield "call", "{s_approve}", source
cells = sorted({{f"{c_account} {{source}}", f"{c_account} {{target}}"}})
for cell in cells:
    yield "lock", cell
left = yield "read", f"{c_account} {{source}}"
enough = left >= amount
if enough and source != target:
    yield "write", f"{c_account} {{source}}", left - amount
    there = yield "read", f"{c_account} {{target}}"
    yield "write", f"{c_account} {{target}}", there + amount
for cell in cells:
    yield "unlock", cell
return enough""",
    "audit": """\
cells = sorted(f"{c_account} {{name}}" for name in names)
found = 0
for cell in cells:
    yield "lock", cell
for cell in cells:
    found += yield "read", cell
for cell in cells:
    yield "unlock", cell
return found""",
}

_NUMBER_BARE: Final = """\
last = yield "read", "{c_number}"
last = (last or 0) + 1
yield "write", "{c_number}", last
return last"""
_NUMBER_READ_BEFORE: Final = """\
last = yield "read", "{c_number}"
yield "lock", "numbers"
last = (last or 0) + 1
yield "write", "{c_number}", last
yield "unlock", "numbers"
return last"""
_NUMBER_READ_TWICE: Final = """\
yield "lock", "numbers"
last = yield "read", "{c_number}"
yield "write", "{c_number}", (last or 0) + 1
yield "unlock", "numbers"
return (yield "read", "{c_number}")"""

_TAKE_BARE: Final = """\
cell = f"{c_stock} {{{item}}}"
left = yield "read", cell
yield "call", "{s_check}", {item}
if left < count:
    return False
yield "write", cell, left - count
return True"""
_TAKE_READ_BEFORE: Final = """\
cell = f"{c_stock} {{{item}}}"
yield "call", "{s_check}", {item}
left = yield "read", cell
if left < count:
    return False
yield "lock", cell
yield "write", cell, left - count
yield "unlock", cell
return True"""
_TAKE_ONE_LOCK: Final = """\
cell = f"{c_stock} {{{item}}}"
yield "lock", "{c_stock}"
yield "call", "{s_check}", {item}
left = yield "read", cell
enough = left >= count
if enough:
    yield "write", cell, left - count
yield "unlock", "{c_stock}"
return enough"""

_FETCH_BARE: Final = """\
cell = f"{c_cache} {{key}}"
value = yield "read", cell
if value is None:
    good, answer = yield "call", "{s_load}", key
    if good:
        value = answer
        yield "write", cell, value
return value"""
_FETCH_ONE_LOCK: Final = """\
cell = f"{c_cache} {{key}}"
yield "lock", "{c_cache}"
value = yield "read", cell
if value is None:
    good, answer = yield "call", "{s_load}", key
    if good:
        value = answer
        yield "write", cell, value
yield "unlock", "{c_cache}"
return value"""
_FETCH_LOOKED_BEFORE: Final = """\
cell = f"{c_cache} {{key}}"
value = yield "read", cell
if value is not None:
    return value
yield "lock", cell
good, answer = yield "call", "{s_load}", key
if good:
    value = answer
    yield "write", cell, value
yield "unlock", cell
return value"""

_SEND_LOCKED_OUT: Final = """\
cell = f"{c_order} {{order}}"
yield "lock", cell
if (yield "read", cell) == "sent":
    yield "unlock", cell
    return False
good, _ = yield "call", "{s_carry}", order
if not good:
    return False
yield "write", cell, "sent"
yield "unlock", cell
return True"""
_SEND_SAID_BEFORE: Final = """\
cell = f"{c_order} {{order}}"
yield "lock", cell
said = yield "read", cell
yield "write", cell, "sent"
yield "unlock", cell
if said == "sent":
    return False
good, _ = yield "call", "{s_carry}", order
if not good:
    yield "write", cell, said
return good"""
_SEND_BARE: Final = """\
cell = f"{c_order} {{order}}"
if (yield "read", cell) == "sent":
    return False
good, _ = yield "call", "{s_carry}", order
if good:
    yield "write", cell, "sent"
return good"""

_MOVED: Final = """\
enough = left >= amount
if enough:
    yield "write", f"{c_account} {{source}}", left - amount
    there = yield "read", f"{c_account} {{target}}"
    yield "write", f"{c_account} {{target}}", there + amount
"""
_MOVE_AS_NAMED: Final = f"""\
yield "call", "{{s_approve}}", source
if source != target:
    yield "lock", f"{{c_account}} {{{{source}}}}"
yield "lock", f"{{c_account}} {{{{target}}}}"
left = yield "read", f"{{c_account}} {{{{source}}}}"
{_MOVED}yield "unlock", f"{{c_account}} {{{{target}}}}"
if source != target:
    yield "unlock", f"{{c_account}} {{{{source}}}}"
return enough"""
_MOVE_READ_BEFORE: Final = f"""\
left = yield "read", f"{{c_account}} {{{{source}}}}"
yield "call", "{{s_approve}}", source
cells = sorted({{{{f"{{c_account}} {{{{source}}}}", f"{{c_account}} {{{{target}}}}"}}}})
for cell in cells:
    yield "lock", cell
{_MOVED}for cell in cells:
    yield "unlock", cell
return enough"""
_MOVE_BARE: Final = f"""\
yield "call", "{{s_approve}}", source
left = yield "read", f"{{c_account}} {{{{source}}}}"
{_MOVED}return enough"""

_AUDIT_BARE: Final = """\
found = 0
for name in names:
    found += yield "read", f"{c_account} {{name}}"
return found"""
_AUDIT_ONE_BY_ONE: Final = """\
found = 0
for name in sorted(names):
    cell = f"{c_account} {{name}}"
    yield "lock", cell
    found += yield "read", cell
    yield "unlock", cell
return found"""
_AUDIT_AS_NAMED: Final = """\
cells = [f"{c_account} {{name}}" for name in names]
found = 0
for cell in cells:
    yield "lock", cell
    found += yield "read", cell
for cell in cells:
    yield "unlock", cell
return found"""

WRONG: Final = {
    "number": (_NUMBER_BARE, _NUMBER_READ_BEFORE, _NUMBER_READ_TWICE),
    "take": (_TAKE_BARE, _TAKE_READ_BEFORE, _TAKE_ONE_LOCK),
    "fetch": (_FETCH_BARE, _FETCH_ONE_LOCK, _FETCH_LOOKED_BEFORE),
    "send": (_SEND_LOCKED_OUT, _SEND_SAID_BEFORE, _SEND_BARE),
    "move": (_MOVE_AS_NAMED, _MOVE_READ_BEFORE, _MOVE_BARE),
    "audit": (_AUDIT_BARE, _AUDIT_ONE_BY_ONE, _AUDIT_AS_NAMED),
}
"""For each function, bodies with a race, a lock that is never given back, or a lock that makes others wait."""
