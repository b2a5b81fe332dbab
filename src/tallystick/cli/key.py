"""`tally key`: make keys, show the public part, trust the keys of others, list both."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from tallystick.cli.settings import config_folder
from tallystick.core import c1, limits
from tallystick.core.errors import InputError, os_reason
from tallystick.suites.reading import open_regular
from tallystick.trust.policy import SignerPolicy
from tallystick.trust.store import DEFAULT_NAME, KeyEntry, KeyStore

__all__ = ["app", "key_store", "signer_policy"]

app: Final = typer.Typer(
    no_args_is_help=True,
    help="Keys: your own, which sign bundles, and those of others, which you trust.",
)

_Json = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]


def key_store() -> KeyStore:
    """The user's key store; maybe not there yet."""
    return KeyStore(config_folder() / "keys")


def signer_policy() -> SignerPolicy:
    """Whom the user knows; nobody, where the user has no home folder."""
    try:
        store = key_store()
    except InputError:
        return SignerPolicy()
    return store.policy()


@app.command()
def new(name: Annotated[str, typer.Argument(help="What to call it.")] = DEFAULT_NAME, json: _Json = False) -> None:
    """Make a key. An existing one is never replaced."""
    store = key_store()
    public = store.new(name).public
    if json:
        _print_json({"kid": public.kid, "name": name})
        return
    typer.echo(f"made the key {name}: {public.kid}")
    typer.echo(f"private part: {store.folder / name}.pem (keep it secret, keep a copy)")
    typer.echo(f"for those who verify your bundles: tally key show --json {name} > {name}.jwk.json")


@app.command()
def show(name: Annotated[str | None, typer.Argument(help="One of your keys.")] = None, json: _Json = False) -> None:
    """Show the public part of a key.

    With --json as the JWK file that others give to `tally key trust`.
    """
    public = key_store().public(name)
    if json:
        _print_json(public.jwk_tree())
    else:
        typer.echo(f"thumbprint: {public.kid}")
        typer.echo(f"public key: {public.jwk.x} (Ed25519)")


@app.command()
def trust(
    file: Annotated[Path, typer.Argument(help="A public key as JWK (from `tally key show --json`); - reads standard input.")],
    label: Annotated[str, typer.Option(help="A note for yourself: whose key it is. Default: none.")] = "",
    json: _Json = False,
) -> None:
    """Trust a public key. Compare the thumbprint with its owner over a channel you trust."""
    public = key_store().trust(_read(file), label)
    if json:
        _print_json({"kid": public.kid, "label": label})
        return
    typer.echo(f"trusted: {public.kid}{f' ({label})' if label else ''}")
    typer.echo("compare this thumbprint with the one its owner reads from `tally key show`")


@app.command()
def untrust(kid: Annotated[str, typer.Argument(help="The thumbprint, from `tally key list`.")], json: _Json = False) -> None:
    """Trust a public key no longer."""
    key_store().untrust(kid)
    if json:
        _print_json({"kid": kid})
    else:
        typer.echo(f"no longer trusted: {kid}")


@app.command("list")
def list_keys(json: _Json = False) -> None:
    """List your own keys and those you trust."""
    store = key_store()
    entries = store.entries()
    if json:
        _print_json({"keys": [_row(entry) for entry in entries]})
    elif not entries:
        typer.echo(f"no keys in {store.folder}; make one with: tally key new")
    else:
        for entry in entries:
            typer.echo(f"{entry.standing:<7}  {entry.public.kid}  {entry.name}".rstrip())


def _row(entry: KeyEntry) -> dict[str, c1.Tree]:
    return {"kid": entry.public.kid, "name": entry.name, "standing": entry.standing}


def _print_json(tree: c1.Tree) -> None:
    typer.echo(c1.dumps(tree))


def _read(file: Path) -> bytes:
    """The first bytes of a file, one more than a key may have, so that a bigger one is refused and never read whole."""
    try:
        if str(file) == "-":
            return sys.stdin.buffer.read(limits.KEY_BYTES + 1)
        with open_regular(file) as stream:
            return stream.read(limits.KEY_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read {file}: {os_reason(error)}") from None
