"""Signatures of requests; see docs/CLIENT.md."""


def sign(settings, method, path, params):
    """The headers that sign a request."""
    raise NotImplementedError("see docs/CLIENT.md")
