"""The client of a drawn service: how its settings are looked up, its requests signed, and its tokens masked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from tallystick.core.digest import raw, sha256
from tallystick.suites.families.draws import Draws

__all__ = ["SITE", "Client", "Param", "draw_client", "loaded", "masked", "new_token", "signed"]

Param = str | int | None | list[str]
"""A value of a request's parameter."""
SITE: Final = "config/site.ini"
_NAMES: Final = (
    ("relay", "parcels", ("timeout", "retries")),
    ("courier", "letters", ("wait", "attempts")),
    ("beacon", "signals", ("interval", "burst")),
    ("granary", "harvests", ("limit", "pages")),
    ("tollgate", "passages", ("delay", "lanes")),
    ("archive_link", "records", ("patience", "chunks")),
    ("weatherline", "readings", ("period", "batch")),
    ("stockroom", "orders", ("grace", "rounds")),
)
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"


@dataclass(frozen=True, slots=True)
class Client:
    """The rules. `numbers` are settings with their least, greatest and default value."""

    package: str
    goods: str
    numbers: Mapping[str, tuple[int, int, int]]
    base: str
    token_prefix: str
    token_length: int
    both_refused: bool
    order: tuple[str, ...]
    separator: str
    scheme: str
    digits: int
    signature_header: str
    key_header: str
    key_length: int
    mask: str

    @property
    def prefix(self) -> str:
        """What the names of its environment variables begin with."""
        return self.package.upper()

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of all settings."""
        return ("token", "base", *self.numbers)


def draw_client(draws: Draws) -> Client:
    """A client."""
    package, goods, (first, second) = draws.pick(_NAMES)
    stem = "".join(part.capitalize() for part in package.split("_"))
    return Client(
        package=package,
        goods=goods,
        numbers={
            first: (1, draws.between(6, 9) * 10, draws.between(5, 40)),
            second: (0, draws.between(5, 9), draws.between(1, 4)),
        },
        base=f"https://{package.replace('_', '-')}.example",
        token_prefix="".join(draws.sample("bdfghkmprst", 2)),
        token_length=draws.between(18, 26),
        both_refused=draws.chance(1, 2),
        order=tuple(draws.shuffled(("method", "path", "params"))),
        separator=draws.pick(("\n", "|", " ")),
        scheme=draws.pick(("HS", "v1", "Sig", "hmac")),
        digits=draws.pick((32, 40, 48, 64)),
        signature_header=draws.pick((f"X-{stem}-Signature", "Authorization", f"{stem}-Sign")),
        key_header=draws.pick((f"X-{stem}-Key", f"{stem}-Key-Id")),
        key_length=draws.between(5, 8),
        mask=draws.pick(("***", "[...]", "(hidden)", "xxxx")),
    )


def new_token(client: Client, draws: Draws) -> str:
    """A token of the right form."""
    return f"{client.token_prefix}_" + "".join(draws.pick(_LETTERS) for _ in range(client.token_length + draws.below(6)))


def loaded(client: Client, environ: Mapping[str, str], files: Mapping[str, str]) -> dict[str, str | int] | list[str]:
    """The settings by name; or what the refusal must name."""
    site = _sections(files.get(SITE, ""))
    profile = environ.get(f"{client.prefix}_PROFILE") or "default"
    if profile != "default" and profile not in site:
        return [f"{client.prefix}_PROFILE"]
    found: dict[str, str | int] = {}
    for name in client.settings:
        value, source = _looked_up(client, name, environ, files, [site.get(profile, {}), site.get("default", {})])
        if value is None or source == [SITE, "token"] or not _fits(client, name, value):
            return source[:1] if value is not None else source
        found[name] = int(value) if name in client.numbers else value
    return found


def _sections(text: str) -> dict[str, dict[str, str]]:
    sections: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), {})
        elif " = " in line:
            name, _, value = line.partition(" = ")
            current[name] = value
    return sections


def _looked_up(
    client: Client,
    name: str,
    environ: Mapping[str, str],
    files: Mapping[str, str],
    sections: Sequence[Mapping[str, str]],
) -> tuple[str | None, list[str]]:
    """A value and where it is from; None and what a refusal names."""
    variable = f"{client.prefix}_{name.upper()}"
    direct, path = environ.get(variable), environ.get(f"{variable}_FILE")
    if direct and path and client.both_refused:
        return None, [variable, f"{variable}_FILE"]
    if direct:
        return direct, [variable]
    if path and (path not in files or files[path].strip()):
        return files[path].strip() if path in files else None, [f"{variable}_FILE"]
    found = next((section[name] for section in sections if section.get(name)), None)
    if found is not None:
        return found, [SITE, name]
    defaults = {"base": client.base} | {number: str(default) for number, (_, _, default) in client.numbers.items()}
    return defaults.get(name), [variable]


def _fits(client: Client, name: str, value: str) -> bool:
    if name == "token":
        return re.fullmatch(f"{client.token_prefix}_[A-Za-z0-9]{{{client.token_length},}}", value) is not None
    if name == "base":
        return True
    low, high, _ = client.numbers[name]
    return re.fullmatch("[0-9]+", value) is not None and low <= int(value) <= high


def signed(client: Client, token: str, method: str, path: str, params: Mapping[str, Param]) -> dict[str, str]:
    """The headers of a request."""
    pairs = [
        (name, str(each))
        for name, value in params.items()
        if value is not None
        for each in (value if isinstance(value, list) else [value])
    ]
    coded = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in sorted(pairs))
    said = {"method": method.upper(), "path": path, "params": coded}
    text = client.separator.join(said[part] for part in client.order)
    return {
        client.signature_header: f"{client.scheme} {_hmac(token.encode(), text.encode())[: client.digits]}",
        client.key_header: token[: client.key_length],
    }


def _hmac(key: bytes, text: bytes) -> str:
    """HMAC-SHA-256 in hex (RFC 2104) of a key of at most 64 bytes."""
    padded = key.ljust(64, b"\0")
    inner = raw(sha256(bytes(byte ^ 0x36 for byte in padded) + text))
    return raw(sha256(bytes(byte ^ 0x5C for byte in padded) + inner)).hex()


def masked(client: Client, text: str) -> str:
    """`text` with everything masked that has the form of a token."""
    form = f"({client.token_prefix}_[A-Za-z0-9]{{2}})[A-Za-z0-9]{{{client.token_length - 2},}}"
    return re.sub(form, rf"\g<1>{client.mask}", text)
