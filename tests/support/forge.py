"""A forger's bench: takes a finished bundle apart into plain JSON values, lets every part be changed, and makes a file again.

Nothing here asks the product's readers or writers what is allowed, so a forgery can hold what no typed value can: two members
of one name (`Twin`), literal text (`Raw`), missing and surplus members. A forgery comes in two forms:

* `edited`: the file changed as it stands; whatever hash, signature or index covered the change is left alone.
* `resigned`: a dishonest submitter with a valid key of his own makes every hash fit again (documents, journals, spines, run,
  receipts, bundle), keeps exactly the blobs that are named, and signs.

`keep` takes a hash out of the second treatment, for lies about that very hash.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal

import msgspec

from tallystick.core.digest import sha256
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.bundle import HarnessOutput, Observed
from tallystick.records.judgement import Judgement
from tallystick.scoring.quality import quality
from tallystick.scoring.totals import Scored, summarise
from tallystick.scoring.verdict import Verdict
from tests.support.forge_files import content_member, pack_json, repacked, stripped, tar_members, unpack_json, write_members
from tests.support.forge_json import Raw, Twin, copied, hashed, parse, plain, replaced, root, text, to_bytes
from tests.support.forge_signing import LIAR, Jws, jwk_of, thumbprint

__all__ = [
    "LIAR",
    "Forgery",
    "Form",
    "Jws",
    "Raw",
    "Twin",
    "copied",
    "hashed",
    "jwk_of",
    "pack_json",
    "parse",
    "repacked",
    "root",
    "tar_members",
    "text",
    "thumbprint",
    "to_bytes",
    "write_members",
]

Form = Literal["edited", "resigned"]
UNHASHED: Final = ("bundle_hash", "signature", "signer_fingerprint", "signer_jwk", "blobs")


@dataclass
class Forgery:
    """A bundle in pieces: its document with receipts embedded, and its blobs."""

    bundle: dict[Any, Any]
    blobs: dict[str, bytes]
    form: Form
    jws: Jws | None = field(default_factory=Jws)
    """How the liar signs; None leaves the bundle unsigned."""
    other: bytes = b""
    """The file of another honest bundle, of another agent and without a sandbox."""
    variant: str = ""
    _done: bool = False
    _kept: set[str] = field(default_factory=set)
    _open: dict[str, Any] = field(default_factory=dict)
    _agent: str = ""
    _config: str = ""
    _run: str = ""

    @classmethod
    def of(cls, data: bytes, form: Form, variant: str = "") -> Forgery:
        """Take a `.json` bundle apart."""
        bundle = parse(data)
        blobs = unpack_json(bundle.pop("blobs"))
        made = cls(bundle, blobs, form, variant=variant)
        made._agent, made._config, made._run = hashed(bundle["agent"]), hashed(bundle["config"]), made.run_id()
        return made

    # what a lie looks at

    @cached_property
    def donor(self) -> Forgery:
        """The other honest bundle, in pieces."""
        return Forgery.of(self.other, self.form)

    @property
    def results(self) -> list[dict[Any, Any]]:
        return self.bundle["task_results"]

    def result(self, task: str, attempt: int = 1) -> dict[Any, Any]:
        return next(one for one in self.results if (one["task_id"], one["attempt"]["index"]) == (task, attempt))

    def receipt(self, task: str, attempt: int = 1) -> dict[Any, Any]:
        return self.result(task, attempt)["receipt"]

    def event(self, task: str, attempt: int, kind: str) -> dict[Any, Any]:
        return next(one for one in self.receipt(task, attempt)["events"] if one["kind"] == kind)

    def link(self, task: str, attempt: int, role: str) -> dict[Any, Any]:
        return next(one for one in self.receipt(task, attempt)["spine"] if one["role"] == role)

    def document(self, digest: str) -> Any:
        """A document among the blobs, to be changed in place."""
        if digest not in self._open:
            self._open[digest] = parse(self.blobs[digest])
        return self._open[digest]

    def open_as(self, digest: str, value: Any) -> None:
        """A new document, named `digest` until every document is given its own name."""
        self._open[digest] = value

    def grade(self, task: str, attempt: int = 1) -> Any:
        return self.document(self.link(task, attempt, "grade")["digest"])

    def cassette(self, task: str, attempt: int = 1) -> Any:
        return self.document(self.link(task, attempt, "cassette")["digest"])

    def workspace(self, task: str, attempt: int = 1) -> Any:
        return self.document(self.link(task, attempt, "workspace.final")["digest"])

    # what a lie may do besides changing values

    def keep(self, *hashes: str) -> None:
        """Leave these as the lie made them: journal_head, spine_head, run_id, receipt_hash, links, blobs, documents."""
        self._kept.update(hashes)

    def put(self, data: bytes) -> str:
        digest = sha256(data)
        self.blobs[digest] = data
        return digest

    def put_document(self, value: Any) -> str:
        return self.put(to_bytes(value))

    def relink(self, task: str, attempt: int, *, workspace: str | None = None, grade: str | None = None) -> None:
        """Name another workspace or grade in journal and spine alike."""
        for role, kind, member, digest in (
            ("workspace.final", "workspace.sealed", "tree", workspace),
            ("grade", "grade.done", "grade", grade),
        ):
            if digest is not None:
                self.link(task, attempt, role)["digest"] = digest
                self.event(task, attempt, kind)[member] = digest

    def rename(self, old: str, new: str) -> None:
        """Every digest `old` in results, receipts, grades and other opened documents as `new`."""
        for link in self._links("grade"):
            if link["digest"] in self.blobs:
                self.document(link["digest"])
        self.bundle["task_results"] = replaced(self.results, old, new)
        self._open = {digest: replaced(value, old, new) for digest, value in self._open.items()}

    def state(self, task: str, attempt: int, *, passed: bool) -> None:
        """State a verdict with everything that goes with it."""
        result = self.result(task, attempt)
        output = result["harness_output"]
        result |= {"passed": passed, "score": int(passed)}
        result["harness_output"] = {
            "assertions": output["assertions"],
            "failed": [],
            "outcome": "passed" if passed else "failed",
        }

    def end(self, task: str, attempt: int, outcome: str, cause: str, after: str) -> None:
        """Let the journal end after the first event of kind `after`, spine and verdict to fit."""
        receipt, result = self.receipt(task, attempt), self.result(task, attempt)
        kinds = [event["kind"] for event in receipt["events"]]
        events = receipt["events"][: kinds.index(after) + 1]
        receipt["events"] = [*events, {"cause": cause, "kind": "attempt.end", "outcome": outcome, "seq": len(events)}]
        gone = {"workspace.sealed": "workspace.final", "grade.done": "grade"}
        left = {gone.get(event["kind"]) for event in events}
        receipt["spine"] = [link for link in receipt["spine"] if link["role"] not in gone.values() or link["role"] in left]
        shown = "refused" if outcome == "refused" else "infra_error"
        result |= {"passed": False, "score": 0}
        result["harness_output"] = {
            "assertions": result["harness_output"]["assertions"],
            "cause": cause,
            "failed": [],
            "outcome": shown,
        }

    def recount(self) -> None:
        """Make every number of the head follow from the verdicts as stated."""
        scored = [Scored(_verdict(one), _observed(one), self._quality(one)) for one in self.results]
        summary = summarise(len({one["task_id"] for one in self.results}), scored)
        for name in ("totals", "pass_rate", "overall_score", "interval", "components"):
            value = getattr(summary, name)
            self.bundle[name] = plain(value) if isinstance(value, msgspec.Struct) else value

    def judgement(self, task: str, attempt: int = 1) -> Any:
        """The judgement that a grade names."""
        return self.document(self.grade(task, attempt)["judgement"])

    def interview(self, task: str, attempt: int = 1) -> Any:
        """The cassette of a model's opinion."""
        return self.document(self.result(task, attempt)["opinion"]["cassette"])

    def _quality(self, result: Mapping[Any, Any]) -> Fraction | None:
        """What the judgement of an attempt says that it is worth."""
        link = next((one["digest"] for one in result["receipt"]["spine"] if one["role"] == "grade"), None)
        named = self.document(link).get("judgement") if link in self.blobs else None
        if named not in self.blobs:
            return None
        return quality(msgspec.convert(self.document(named), Judgement))

    def recoordinate(self) -> None:
        """Keep one entry of `coordination` for each task that is left, in the order of the results."""
        known = {one["task_id"]: one for one in self.bundle["coordination"]["tasks"]}
        self.bundle["coordination"]["tasks"] = [known[name] for name in dict.fromkeys(one["task_id"] for one in self.results)]

    # from pieces to a file

    def finish(self) -> None:
        """Leave the change as it stands, or make every hash fit and sign."""
        if self._done:
            return
        if self.form == "edited":
            self._leave()
            return
        self._documents()
        for result in self.results:
            if isinstance(result.get("receipt"), dict):
                self._reseal(result)
        if "blobs" not in self._kept:
            self._prune()
        if self.jws is not None and "submitter" not in self._kept:
            self.bundle["submitter"] = {"kid": thumbprint(jwk_of(self.jws.public))}
        self.hash()
        self.sign()

    def finish_signed(self) -> None:
        """Hash and sign now, for lies about what stands beside a signature; `finish` leaves it alone afterwards."""
        self.finish()
        self._done = True

    def keep_signature(self) -> None:
        """Hash and sign nothing but the bundle as it is: the key that a reader is shown is the lie's."""
        if self.form == "resigned":
            shown = {name: self.bundle[name] for name in ("signer_jwk", "signer_fingerprint")}
            self.hash()
            self.bundle["signature"] = Jws().token(self.bundle["bundle_hash"].encode())
            self.bundle |= shown
            self._done = True

    def _leave(self) -> None:
        """Put changed documents where the old ones were; nothing is hashed, the old signature gets at most a new header."""
        for digest, value in self._open.items():
            if digest in self.blobs:
                self.blobs[digest] = to_bytes(value)
        if self.jws is not None and self.jws != Jws():
            self.bundle["signature"] = self.jws.rehead(self.bundle["signature"])

    def hash(self) -> None:
        """Make `bundle_hash` fit."""
        covered = {name: value for name, value in stripped(self.bundle).items() if str(name) not in UNHASHED}
        self.bundle["bundle_hash"] = hashed(covered)

    def sign(self) -> None:
        for member in ("signature", "signer_jwk", "signer_fingerprint"):
            self.bundle.pop(member, None)
        if self.jws is None:
            return
        jwk = jwk_of(self.jws.public)
        self.bundle |= {"signer_jwk": jwk, "signer_fingerprint": thumbprint(jwk)}
        self.bundle["signature"] = self.jws.token(self.bundle["bundle_hash"].encode())

    def run_id(self) -> str:
        return hashed(
            {
                "_type": "tallystick/run-id/v1",
                "agent": hashed(self.bundle["agent"]),
                "config": hashed(self.bundle["config"]),
                "suite_hash": self.bundle["suite_hash"],
            }
        )

    def _documents(self) -> None:
        """Give changed documents their new names, wherever the old ones stand, until nothing changes any more."""
        if "documents" in self._kept:
            return
        for old, member in ((self._agent, "agent"), (self._config, "config")):
            new = self.put_document(self.bundle[member])
            self._rename(old, new)
        self._rename(self._run, self.run_id())
        while changed := next(((old, value) for old, value in self._open.items() if hashed(value) != old), None):
            old, value = changed
            del self._open[old]
            new = self.put_document(value)
            self._open[new] = value
            self._rename(old, new)

    def _links(self, role: str) -> Iterator[dict[Any, Any]]:
        for result in self.results:
            receipt = result.get("receipt")
            for link in receipt.get("spine", ()) if isinstance(receipt, dict) else ():
                if link["role"] == role:
                    yield link

    def _rename(self, old: str, new: str) -> None:
        if old == new or "links" in self._kept:
            return
        self.rename(old, new)

    def _reseal(self, result: dict[Any, Any]) -> None:
        for holder in (result, *result.get("tries", ())):
            receipt = holder.get("receipt")
            if not isinstance(receipt, dict):
                continue
            for member, over in (("journal_head", "events"), ("spine_head", "spine")):
                if member in receipt and member not in self._kept:
                    receipt[member] = root(receipt[over])
            if "receipt_hash" not in self._kept:
                holder["receipt_hash"] = hashed(receipt)

    def _prune(self) -> None:
        """Drop what nothing names any more, as a careful forger would."""
        roles = ("agent", "config", "cassette", "workspace.final", "grade")
        named = {digest for role in roles for digest in self._digests(role)}
        for cassette in [self.blobs[one] for one in self._digests("cassette") if one in self.blobs]:
            named |= {digest for call in parse(cassette).get("calls", ()) for digest in (call["body"]["part"], call["answer"])}
        for grade in [self.blobs[one] for one in self._digests("grade") if one in self.blobs]:
            named.add(parse(grade).get("graded"))
            named.add(parse(grade).get("judgement"))
        for opinion in [result["opinion"] for result in self.results if "opinion" in result]:
            named.add(opinion["cassette"])
            for call in parse(self.blobs[opinion["cassette"]])["calls"] if opinion["cassette"] in self.blobs else ():
                named |= {call["body"]["part"], call["answer"]}
        for tree in [self.blobs[one] for one in self._digests("workspace.final") if one in self.blobs]:
            named |= {record.get("digest") for record in parse(tree).get("records", ())}
        for result in self.results:
            named |= {digest for _, digest in result.get("observed", {}).get("outputs", ())}
        self.blobs = {digest: data for digest, data in self.blobs.items() if digest in named}

    def _digests(self, role: str) -> list[str]:
        return [link["digest"] for link in self._links(role)]

    def json(self) -> bytes:
        """The `.json` container."""
        return to_bytes(self.bundle | {"blobs": pack_json(self.blobs)})

    def tally(self) -> bytes:
        """The `.tally` container."""
        receipts = {}
        for result in self.results:
            for holder in (result, *result.get("tries", ())):
                if "receipt" in holder:
                    receipts[holder["receipt_hash"]] = to_bytes(holder["receipt"])
        members = [("bundle.json", to_bytes(stripped(self.bundle)))]
        for section, contents in (("receipts", receipts), ("blobs", self.blobs)):
            members += [content_member(section, digest, contents[digest]) for digest in sorted(contents)]
        return write_members(members)


def _verdict(result: Mapping[Any, Any]) -> Verdict:
    output = msgspec.convert(result["harness_output"], HarnessOutput)
    crashed = output.outcome == "infra_error" or any("signal" in event for event in result["receipt"]["events"])
    return Verdict(result["passed"], Fraction(result["score"]), output, crashed)


def _observed(result: Mapping[Any, Any]) -> Observed | UnsetType:
    return msgspec.convert(result["observed"], Observed) if "observed" in result else UNSET
