"""A forger's bench for reliability receipts: the receipt as plain JSON, and the bundle inside on a bench of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from tallystick.records.base import UNSET
from tallystick.records.evidence import Receipt
from tallystick.records.journal import ModelCall, coordination_root
from tallystick.records.reliability import INFORMATION, FloorStep
from tallystick.records.report import Status
from tallystick.scoring.floor import AttemptFacts, floor_of
from tests.support.forge import Forgery, Form, Jws, hashed, jwk_of, parse, thumbprint, to_bytes
from tests.support.forge_files import pack_json
from tests.support.forge_json import plain

__all__ = ["LIES", "Caught", "FloorForgery", "FloorStep", "Found", "Lie", "Stands", "Status", "Unreadable", "lie"]

UNHASHED: Final = ("receipt_hash", "signature", "signer_fingerprint", "signer_jwk", "bundle")
LIAR: Final = Jws(header=lambda header: header | {"typ": "tallystick-reliability+jws"})
"""The dishonest submitter, who signs receipts as receipts are signed."""
NUMBERS: Final = ("pass_at_1", "pass_caret_k", "rates", "flip_rate", "infra_errors", "coordination_ok", "information")


@dataclass(frozen=True)
class Caught:
    """Exit 1 with this status; exactly these steps fail."""

    status: Status
    steps: frozenset[FloorStep]
    says: str = ""


@dataclass(frozen=True)
class Unreadable:
    """Not read as a receipt (exit 2), and what is said."""

    says: str


@dataclass(frozen=True)
class Stands:
    """MATCH (exit 0): what the evidence in a file cannot show."""

    says: str = ""


Found = Caught | Unreadable | Stands


@dataclass
class FloorForgery:
    """A receipt in pieces. `inner` is the bundle inside; None takes it out. `rewrite` changes the finished bytes."""

    document: dict[Any, Any]
    inner: Forgery | None
    form: Form
    variant: str = ""
    jws: Jws | None = LIAR
    rewrite: Callable[[bytes], bytes] = bytes
    kept: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, data: bytes, form: Form, variant: str = "") -> FloorForgery:
        document = parse(data)
        return cls(document, Forgery.of(to_bytes(document.pop("bundle")), form), form, variant)

    @property
    def bundle(self) -> Forgery:
        assert self.inner is not None
        return self.inner

    def task(self, name: str) -> dict[Any, Any]:
        return next(one for one in self.document["task_results"] if one["task_id"] == name)

    def keep(self, *members: str) -> None:
        """Leave these as the lie made them: receipt_hash, bundle_hash."""
        self.kept.update(members)

    def refloor(self) -> None:
        """Make every number follow from the verdicts and journals as they are stated now."""
        facts = [_facts(one) for one in self.bundle.results]
        floor = floor_of(facts, self.bundle.bundle["scheduler_config"]["attempts"])
        for name in NUMBERS:
            self.document.pop(name, None)
            if (value := getattr(floor, name)) is not UNSET:
                self.document[name] = plain(value)
        self.document["information_says"] = INFORMATION[floor.information]
        self.document["task_results"] = [plain(one) for one in floor.task_results]
        self.document["k"] = floor.k

    def recoordinate(self) -> None:
        """Make the bundle's own coordination follow from its journals."""
        tasks = {one["task_id"]: one for one in self.bundle.bundle["coordination"]["tasks"]}
        roots: dict[str, list[str]] = {}
        for result in self.bundle.results:
            roots.setdefault(result["task_id"], []).append(_facts(result).coordination)
        for name, found in roots.items():
            tasks[name] |= {"identical": len(set(found)) == 1, "root": found[0]}
        self.bundle.bundle["coordination"]["identical"] = all(one["identical"] for one in tasks.values())

    def bytes(self) -> bytes:
        """The file."""
        document = dict(self.document)
        if self.inner is not None:
            self.inner.finish()
            document["bundle"] = self.inner.bundle | {"blobs": pack_json(self.inner.blobs)}
            if self.form == "resigned" and "bundle_hash" not in self.kept:
                document["bundle_hash"] = self.inner.bundle["bundle_hash"]
        if self.form == "resigned":
            self._sign(document)
        return self.rewrite(to_bytes(document))

    def _sign(self, document: dict[Any, Any]) -> None:
        if self.jws is None:
            for member in ("signature", "signer_jwk", "signer_fingerprint", "submitter"):
                document.pop(member, None)
        elif "submitter" not in self.kept:
            document["submitter"] = {"kid": thumbprint(jwk_of(self.jws.public))}
        covered = {name: value for name, value in document.items() if str(name) not in UNHASHED}
        if "receipt_hash" not in self.kept:
            document["receipt_hash"] = hashed(covered)
        if self.jws is not None:
            jwk = jwk_of(self.jws.public)
            document |= {"signer_jwk": jwk, "signer_fingerprint": thumbprint(jwk)}
            document["signature"] = self.jws.token(document["receipt_hash"].encode())


def _facts(result: dict[Any, Any]) -> AttemptFacts:
    receipt = msgspec.convert(result["receipt"], Receipt)
    return AttemptFacts(
        task_id=result["task_id"],
        task_hash=result["task_hash"],
        passed=result["passed"],
        infra_error=result["harness_output"]["outcome"] == "infra_error",
        coordination=coordination_root(receipt.events),
        journal=receipt.journal_head,
        asked=sum(isinstance(event, ModelCall) for event in receipt.events),
        recorded=receipt.link("cassette") is not None,
    )


@dataclass(frozen=True)
class Lie:
    """One lie, its finding in both forms, and the honest receipt it starts from."""

    tell: Callable[[FloorForgery], None]
    edited: Found
    resigned: Found
    base: Literal["plain", "recorded"] = "plain"
    variants: tuple[str, ...] = ("",)


LIES: dict[str, Lie] = {}


def lie(
    edited: Found, resigned: Found, *, base: Literal["plain", "recorded"] = "plain", variants: tuple[str, ...] = ("",)
) -> Callable[[Callable[[FloorForgery], None]], Callable[[FloorForgery], None]]:
    """Enter a function into the list of lies, under its name."""

    def enter(tell: Callable[[FloorForgery], None]) -> Callable[[FloorForgery], None]:
        LIES[tell.__name__] = Lie(tell, edited, resigned, base, variants)
        return tell

    return enter
