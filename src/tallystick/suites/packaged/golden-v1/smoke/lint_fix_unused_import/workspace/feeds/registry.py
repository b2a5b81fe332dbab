"""Formats by name; format modules add themselves when they are imported."""

FORMATS = {}


def register(name):
    """Decorator: make a parse function known under `name`."""

    def add(parse):
        FORMATS[name] = parse
        return parse

    return add


def find(name):
    """The parse function of a format; KeyError for an unknown one."""
    return FORMATS[name]
