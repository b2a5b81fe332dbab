"""The settings; docs/CLIENT.md says where they come from."""

from dataclasses import dataclass

DEFAULTS = {"token": "", "base": "@{base}", "@{first}": "@{first_default}", "@{second}": "@{second_default}"}


@dataclass(frozen=True)
class Settings:
    """What the client needs."""

    token: str
    base: str
    @{first}: int
    @{second}: int


def load(environ, root):
    """The settings of an environment."""
    found = {name: environ.get(f"@{prefix}_{name.upper()}") or value for name, value in DEFAULTS.items()}
    return Settings(**found | {name: int(found[name]) for name in ("@{first}", "@{second}")})
