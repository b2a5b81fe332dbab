"""The key store: a folder with the reader's own keys and the public keys the reader trusts.

    <folder>/<name>.pem                   a private key, PKCS#8 PEM, 0600
    <folder>/<name>.jwk.json              its public part, so that verifying never opens a private key
    <folder>/trusted/<kid>.jwk.json       a trusted public key, as JWK with its thumbprint and a label

Nothing is made by looking: folders and keys appear only with `new`, `signer_or_new` and `trust`. The caller names the folder.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from tallystick.core import c1
from tallystick.core.errors import InputError, os_reason
from tallystick.trust import files
from tallystick.trust.files import KeyStoreError
from tallystick.trust.keys import PublicKey, read_jwk
from tallystick.trust.policy import SignerPolicy

if TYPE_CHECKING:
    from tallystick.trust.signing import Signer

__all__ = ["DEFAULT_NAME", "KeyEntry", "KeyExistsError", "KeyStore", "KeyStoreError"]

DEFAULT_NAME: Final = "default"

_PRIVATE: Final = ".pem"
_PUBLIC: Final = ".jwk.json"
# Lower case only: some file systems know no other, and two names must be two files.
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}").fullmatch
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._@+-]{0,63}").fullmatch
_KID = re.compile(r"[A-Za-z0-9_-]{43}").fullmatch


class KeyExistsError(KeyStoreError):
    """A name that is taken."""


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """A key of the store: `name` is the file name of one's own key and the label, maybe empty, of a trusted one."""

    standing: Literal["self", "trusted"]
    name: str
    public: PublicKey
    path: Path


class KeyStore:
    """The keys in `folder`. Every method reads the folder anew and raises `KeyStoreError` with one clear line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def new(self, name: str = DEFAULT_NAME) -> Signer:
        """Make a key; an existing one is never replaced."""
        from tallystick.trust.signing import Signer  # noqa: PLC0415  # only who signs loads private-key code

        path = self._private(name)
        files.make_folder(self.folder)
        signer = Signer.generate()
        try:
            files.create(path, signer.to_bytes())
        except FileExistsError:
            raise KeyExistsError(f"there is a key named {name} already ({path}); choose another name") from None
        files.replace(self._public(name), _jwk_file(signer.public))
        return signer

    def signer(self, name: str | None = None) -> Signer:
        """The signer called `name`; without a name the only key there is, or the one called `default`."""
        from tallystick.trust.signing import Signer, SigningKeyError  # noqa: PLC0415  # as above

        name = self._choose(name)
        path, public = self._private(name), self._public(name)
        files.check_folder(self.folder)
        if not _is_there(path):
            raise KeyStoreError(f"there is no key file {path}; make it with: tally key new {name}, or see: tally key list")
        try:
            signer = Signer.from_bytes(files.read(path, private=True))
        except SigningKeyError as error:
            raise KeyStoreError(f"{path}: {error}") from None
        if _is_there(public) and _read_public(public)[0] != signer.public:
            raise KeyStoreError(f"{public} is not the public part of {path}; remove it if the private key is the right one")
        return signer

    def signer_or_new(self) -> tuple[Signer, bool]:
        """The signer, and whether it was made just now because the store had no key; the caller tells the user so."""
        if not self._names():
            # Another process may make it first: then there is one, and that one signs.
            with contextlib.suppress(KeyExistsError):
                return self.new(), True
        return self.signer(), False

    def public(self, name: str | None = None) -> PublicKey:
        """The public part of one's own key, chosen as by `signer`."""
        return self._own(self._choose(name)).public

    def trust(self, jwk: bytes, label: str = "") -> PublicKey:
        """Trust the public key of a JWK file; trusting it again renews the label.

        Raises:
            InputError: the bytes are no admissible public key.
        """
        if label and _LABEL(label) is None:
            raise KeyStoreError(f"the label {label[:80]!r} may have letters, digits, space and ._@+- only, 64 at most")
        key = read_jwk(jwk)
        path = self._trusted / f"{key.kid}{_PUBLIC}"
        files.make_folder(self.folder)
        files.make_folder(self._trusted)
        files.replace(path, _jwk_file(key, label))
        return key

    def untrust(self, kid: str) -> None:
        """Trust the key with this thumbprint no longer."""
        if kid not in self._kids():
            raise KeyStoreError(f"no trusted key has the thumbprint {kid[:80]!r}; see: tally key list")
        path = self._trusted / f"{kid}{_PUBLIC}"
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise KeyStoreError(f"cannot remove {path}: {os_reason(error)}") from None

    def entries(self) -> tuple[KeyEntry, ...]:
        """Own keys by name, then trusted keys by thumbprint."""
        return (*(self._own(name) for name in self._names()), *(self._trusted_entry(kid) for kid in self._kids()))

    def policy(self) -> SignerPolicy:
        """Whom the reader knows. A trusted key's file name is its thumbprint, so its file is not opened."""
        own = frozenset(self._own(name).public.kid for name in self._names())
        return SignerPolicy(own=own, trusted=frozenset(self._kids()))

    @property
    def _trusted(self) -> Path:
        return self.folder / "trusted"

    def _private(self, name: str) -> Path:
        if _NAME(name) is None:
            raise KeyStoreError(f"{name[:80]!r} is no key name: lower-case letters, digits, - and _, 64 at most")
        return self.folder / f"{name}{_PRIVATE}"

    def _public(self, name: str) -> Path:
        return self.folder / f"{name}{_PUBLIC}"

    def _names(self) -> list[str]:
        return [name for name in _stems(self.folder, _PRIVATE) if _NAME(name)]

    def _kids(self) -> list[str]:
        # Another name is no thumbprint, so it trusts nobody.
        return [kid for kid in _stems(self._trusted, _PUBLIC) if _KID(kid)] if files.check_folder(self.folder) else []

    def _choose(self, name: str | None) -> str:
        if name is not None:
            return name
        names = self._names()
        if not names:
            raise KeyStoreError(f"there is no key in {self.folder}; make one with: tally key new")
        if len(names) > 1 and DEFAULT_NAME not in names:
            raise KeyStoreError(f"there are several keys in {self.folder} and none is called default: {', '.join(names)}")
        return DEFAULT_NAME if DEFAULT_NAME in names else names[0]

    def _own(self, name: str) -> KeyEntry:
        """One's own key; its public file is written anew where a copied-in or interrupted key has none."""
        private, path = self._private(name), self._public(name)
        if not files.check_folder(self.folder) or not _is_there(private):
            raise KeyStoreError(f"there is no key named {name} in {self.folder}; see: tally key list")
        if _is_there(path):
            return KeyEntry("self", name, _read_public(path)[0], private)
        public = self.signer(name).public
        with contextlib.suppress(KeyStoreError):  # a read-only folder: the file only spares the next reader
            files.replace(path, _jwk_file(public))
        return KeyEntry("self", name, public, private)

    def _trusted_entry(self, kid: str) -> KeyEntry:
        path = self._trusted / f"{kid}{_PUBLIC}"
        key, label = _read_public(path)
        if key.kid != kid:
            raise KeyStoreError(f"{path} holds another key ({key.kid}); remove the file")
        return KeyEntry("trusted", label, key, path)


def _is_there(path: Path) -> bool:
    """Whether there is anything at `path`, a dangling link included."""
    return os.path.lexists(path)


def _stems(folder: Path, suffix: str) -> list[str]:
    """Sorted names of the files in `folder` with this suffix, without it; none where the folder does not exist."""
    if not files.check_folder(folder):
        return []
    try:
        found = [path.name for path in folder.iterdir()]
    except OSError as error:
        raise KeyStoreError(f"cannot list the key folder {folder}: {os_reason(error)}") from None
    return sorted(name.removesuffix(suffix) for name in found if name.endswith(suffix))


def _jwk_file(key: PublicKey, label: str = "") -> bytes:
    """A JWK file; `label` is a member of ours, which RFC 7517 section 4 allows."""
    return c1.dumps({**key.jwk_tree(), **({"label": label} if label else {})})


def _read_public(path: Path) -> tuple[PublicKey, str]:
    """Key and label of a public key's file; a label that could upset a screen is left out."""
    data = files.read(path, private=False)
    try:
        key, tree = read_jwk(data), c1.decode(data)
    except InputError as error:
        raise KeyStoreError(f"{path}: {error}") from None
    label = tree.get("label") if isinstance(tree, dict) else None
    return key, label if isinstance(label, str) and _LABEL(label) else ""
