"""Texts without tokens; see docs/CLIENT.md."""


def masked(text):
    """The text with its tokens masked."""
    raise NotImplementedError("see docs/CLIENT.md")
