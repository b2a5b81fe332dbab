"""The command line."""

import os
import re

from @{prog}.problems import Stop

LETTERS = @{letters}
WORDS = @{words}
ERRORS = @{errors_table}
MEASURES = ("sum", "count", "largest", "smallest", "mean")
ORDERS = ("name", "figure", "seen")


def is_number(text):
    return re.fullmatch("[0-9]+", text) and int(text) >= 1


def is_delimiter(text):
    return text == r"\t" or (len(text) == 1 and not text.isspace() and not re.match("[A-Za-z0-9]", text))


CHECKS = {
    "key": is_number,
    "value": is_number,
    "top": is_number,
    "delimiter": is_delimiter,
    "measure": MEASURES.__contains__,
    "order": ORDERS.__contains__,
}
"""The options that take a value, and which."""


def fail(kind, opt, value=""):
    raise Stop(@{usage_status}, [ERRORS[kind].format(opt=opt, value=value)])


def long_form(role):
    return "--" + next(word for word, known in WORDS.items() if known == role)


def role_of_word(word):
    if word in WORDS:
        return WORDS[word]
    near = [role for known, role in WORDS.items() if word and known.startswith(word)] if @{is_shortened} else []
    if not near:
        fail("unknown", "--" + word)
    if len(near) > 1:
        fail("ambiguous", "--" + word)
    return near[0]


def events(args):
    """(role, value given with it or None) of each option; (None, file) of each FILE. `args` loses what is read."""
    while args:
        arg = args.pop(0)
        if arg == "--":
            break
        if arg == "-" or not arg.startswith("-"):
            yield None, arg
            if not @{is_mixed}:
                break
        elif arg.startswith("--"):
            word, equals, value = arg[2:].partition("=")
            yield role_of_word(word), value if equals else None
        else:
            letters = arg[1:]
            while letters:
                letter, letters = letters[0], letters[1:]
                role = LETTERS.get(letter) or fail("unknown", "-" + letter)
                if role in CHECKS:
                    yield role, letters or None
                    break
                yield role, None
    while args:
        yield None, args.pop(0)


def read(args):
    """The settings by role, `files` among them."""
    args = list(args)
    settings = {"files": []}
    for role, value in events(args):
        if role is None:
            settings["files"].append(value)
            continue
        if role in settings and not @{is_repeatable}:
            fail("twice", long_form(role))
        if role in CHECKS:
            if value is None:
                value = args.pop(0) if args else fail("missing", long_form(role))
            if not CHECKS[role](value):
                fail("refused", long_form(role), value)
        elif value is not None:
            fail("superfluous", long_form(role))
        elif role == "version":
            raise Stop(0, out="@{prog} @{version}\n")
        settings[role] = value
    return completed(settings)


def completed(settings):
    if "delimiter" not in settings:
        settings["delimiter"] = os.environ.get("@{variable}") or "@{delimiter}"
        if not is_delimiter(settings["delimiter"]):
            fail("refused", "@{variable}", settings["delimiter"])
    settings["delimiter"] = settings["delimiter"].replace(r"\t", "\t")
    settings["key"] = int(settings.get("key", @{key}))
    settings["value"] = int(settings.get("value", @{value}))
    settings.setdefault("measure", "@{measure}")
    settings.setdefault("order", "@{order}")
    if "reverse" in settings and settings["order"] == "seen":
        fail("clash", long_form("reverse"), long_form("order") + " seen")
    return settings
