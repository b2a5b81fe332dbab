"""The report on messages; docs/RULES.md has the rules."""


def report(folder, day):
    """The report of a day on the messages of a folder."""
    raise NotImplementedError("see docs/RULES.md")
