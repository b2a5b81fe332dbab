"""The settings; docs/CLIENT.md says where they come from."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What the client needs."""

    token: str
    base: str
    @{first}: int
    @{second}: int


def load(environ, root):
    """The settings of an environment and a project's folder."""
    raise NotImplementedError("see docs/CLIENT.md")
