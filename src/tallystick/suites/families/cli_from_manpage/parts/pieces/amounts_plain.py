"""Whole numbers."""


def parse(text):
    """The number of a text."""
    return int(text)


def show(figure, measure):
    """A figure as it is printed."""
    return str(figure) if measure == "count" else f"{figure}.@{zeros}"
