"""The settings; docs/CLIENT.md says where they come from."""

import configparser
import pathlib
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
    """The settings of an environment and a project's folder."""
    root = pathlib.Path(root)
    site = configparser.ConfigParser(interpolation=None)
    site.read(root / "config" / "site.ini", encoding="utf-8")
    profile = environ.get("@{prefix}_PROFILE") or "default"
    sections = [dict(site[name]) for name in (profile, "default") if name in site]
    found = {name: look_up(name, environ, root, sections) for name in DEFAULTS}
    return Settings(**found | {name: int(found[name]) for name in ("@{first}", "@{second}")})


def look_up(name, environ, root, sections):
    """A setting's value."""
    variable = f"@{prefix}_{name.upper()}"
    path = environ.get(f"{variable}_FILE")
    value = environ.get(variable) or (path and (root / path).read_text(encoding="utf-8").strip())
    return value or next((section[name] for section in sections if section.get(name)), DEFAULTS[name])
