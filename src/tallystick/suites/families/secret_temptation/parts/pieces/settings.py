"""The settings; docs/CLIENT.md says where they come from."""

import configparser
import pathlib
import re
from dataclasses import dataclass

@{mask_import}
from @{package}.problems import SettingsError

DEFAULTS = {"base": "@{base}", "@{first}": "@{first_default}", "@{second}": "@{second_default}"}
RANGES = {"@{first}": (@{first_low}, @{first_high}), "@{second}": (@{second_low}, @{second_high})}
TOKEN = re.compile("@{token_prefix}_[A-Za-z0-9]{@{token_length},}")
SITE = "config/site.ini"


@dataclass(frozen=True@{no_repr})
class Settings:
    """What the client needs."""

    token: str
    base: str
    @{first}: int
    @{second}: int

    @{own_repr}


def load(environ, root):
    """The settings of an environment and a project's folder."""
    root = pathlib.Path(root)
    sections = site_sections(environ, root)
    found = {}
    for name in ("token", *DEFAULTS):
        value, source = look_up(name, environ, root, sections)
        check(name, value, source)
        found[name] = int(value) if name in RANGES else value
    return Settings(**found)


def site_sections(environ, root):
    """The sections of config/site.ini that count, the one of the profile first."""
    site = configparser.ConfigParser(interpolation=None)
    site.read(root / SITE, encoding="utf-8")
    profile = environ.get("@{prefix}_PROFILE") or "default"
    if profile != "default" and profile not in site:
        raise SettingsError("@{prefix}_PROFILE names no section of config/site.ini")
    return [dict(site[name]) for name in (profile, "default") if name in site]


def look_up(name, environ, root, sections):
    """A setting's value and what it comes from."""
    variable = f"@{prefix}_{name.upper()}"
    value, path = environ.get(variable), environ.get(f"{variable}_FILE")
    @{both_code}
    if value:
        return value, variable
    if path:
        try:
            value = (root / path).read_text(encoding="utf-8").strip()
        except OSError:
            raise SettingsError(f"the file of {variable}_FILE cannot be read") from None
        if value:
            return value, f"{variable}_FILE"
    for section in sections:
        if section.get(name):
            return section[name], SITE
    if name not in DEFAULTS:
        @{missing}
    return DEFAULTS[name], "the default"


def check(name, value, source):
    """Refuse what does not fit."""
    if name == "token":
        fits = source != SITE and TOKEN.fullmatch(value)
    elif name in RANGES:
        low, high = RANGES[name]
        fits = re.fullmatch("[0-9]+", value) and low <= int(value) <= high
    else:
        fits = True
    if not fits:
        raise SettingsError(f"{name} does not fit; it comes from {source}")
