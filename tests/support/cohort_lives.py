"""A cohort on disk with a history: made, frozen and attached to as its author would, or as a liar with every key would."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from tallystick.core import pyjson
from tallystick.core.digest import EMPTY, Digest
from tallystick.flows.cohort.acting import collect, freeze, make, review
from tallystick.flows.cohort.history import HistoryReport, validate_history
from tallystick.flows.cohort.opening import Where, cohort_bytes, look, opened
from tallystick.records.cohort.cohort import parse_cohort
from tallystick.records.cohort_history import (
    Attach,
    CohortEntry,
    NegativeRef,
    entry_digest,
    parse_entries,
    payload,
    write_entries,
)
from tallystick.suites.cohorts.chain import Demands, attempts_of
from tallystick.suites.cohorts.definition import definition_digest
from tallystick.suites.cohorts.samples import COHORT_PATH, Sample, Shape, sample
from tallystick.trust.jws import COHORT_ENTRY_TYP
from tallystick.trust.signing import Signer

__all__ = ["PATH", "Life", "bare", "begun", "frozen", "signed"]

PATH = "/usr/local/bin:/usr/bin:/bin"


def bare(source: Sample, stage: str = "scaffold") -> dict[str, Any]:
    """The cohort of a sample before anything was attached to it."""
    value = copy.deepcopy(source.cohort)
    value.pop("definition_digest", None)
    value["stage"] = stage
    for task in value["tasks"]:
        task["evidence"] = {"status": "pending", "attempts": []}
        case = task["negative_case"]
        task["negative_case"] = {name: case[name] for name in ("description", "expected_category")}
        task["negative_case"]["evidence_status"] = "pending"
    return value


def signed(entry: CohortEntry, signer: Signer) -> CohortEntry:
    """The entry as this key would have signed it."""
    named = msgspec.structs.replace(entry, signer_jwk=signer.public.jwk, kid=signer.public.kid, signature="")
    return msgspec.structs.replace(named, signature=signer.sign(COHORT_ENTRY_TYP, payload(named)))


@dataclass
class Life:
    """A cohort in `root`. `source` holds everything that may be attached to it."""

    root: Path
    source: Sample
    author: Signer = field(default_factory=Signer.generate)
    reviewer: Signer = field(default_factory=Signer.generate)
    path: str = COHORT_PATH

    @property
    def where(self) -> Where:
        return Where(self.root, self.path)

    @property
    def cohort_file(self) -> Path:
        return self.root / self.path

    @property
    def history_file(self) -> Path:
        return self.cohort_file.with_name("history.jsonl")

    @property
    def value(self) -> dict[str, Any]:
        found = pyjson.read(self.cohort_file.read_bytes(), strict=True)
        assert isinstance(found, dict)
        return found

    def lie(self, change: Callable[[dict[str, Any]], object], *, recorded: bool = False) -> None:
        """Change the cohort file by hand; with `recorded` the definition's digest is made to fit again."""
        value = self.value
        change(value)
        if recorded:
            value["definition_digest"] = definition_digest(parse_cohort(value))
        self.cohort_file.write_bytes(cohort_bytes(value))

    @property
    def entries(self) -> list[CohortEntry]:
        return list(parse_entries(self.history_file.read_bytes()))

    def rewrite(self, entries: list[CohortEntry]) -> None:
        """Put these entries in place of the history, as they are."""
        self.history_file.write_bytes(write_entries(tuple(entries)))

    def resign(self, entries: list[CohortEntry], signer: Signer | None = None) -> None:
        """Put these entries in place of the history, numbered, chained and signed anew."""
        done: list[CohortEntry] = []
        for entry in entries:
            head: Digest = entry_digest(done[-1]) if done else EMPTY
            done.append(signed(msgspec.structs.replace(entry, seq=len(done), previous=head), signer or self.author))
        self.rewrite(done)

    def reviewed(self) -> bytes:
        return review(look(self.where), "read it all", self.reviewer)

    def attach(self, number: int = 0, signer: Signer | None = None) -> CohortEntry:
        """Attach the outcomes and the negative of one task of the sample."""
        given = self.source.cohort["tasks"][number]
        with opened(self.where) as cohort:
            tasks = [given if task["id"] == given["id"] else task for task in cohort.value["tasks"]]
            value = {**cohort.value, "tasks": tasks}
            task = next(task for task in parse_cohort(value).tasks if task.id == given["id"])
            negative = NegativeRef(task_id=task.id, evidence=Digest(task.negative_case.evidence_digest or ""))
            return cohort.commit(Attach(attempts=tuple(attempts_of(task)), negatives=(negative,)), value, signer or self.author)

    def attach_negative(self, number: int = 0) -> CohortEntry:
        """Attach the negative of one task of the sample, and no outcome."""
        given = self.source.cohort["tasks"][number]
        with opened(self.where) as cohort:
            value = copy.deepcopy(cohort.value)
            task = next(task for task in value["tasks"] if task["id"] == given["id"])
            task["negative_case"] = given["negative_case"]
            negative = NegativeRef(task_id=given["id"], evidence=given["negative_case"]["evidence_digest"])
            return cohort.commit(Attach(attempts=(), negatives=(negative,)), value, self.author)

    def judge(self, demands: Demands | None = None) -> HistoryReport:
        return validate_history(self.where, PATH, demands)

    def codes(self, demands: Demands | None = None) -> list[str]:
        """The codes that `validate --history` finds, each once, in order."""
        return list(dict.fromkeys(finding.code.value for finding in self.judge(demands).findings))


def begun(root: Path, tasks: int = 5, author: Signer | None = None, source: Sample | None = None) -> Life:
    """A scaffold with a history of one entry; the documents of everything that may come lie beside it."""
    source = source or sample(Shape(tasks=max(tasks, 5)))
    life = Life(root, source, author or Signer.generate())
    for path, data in source.files().items():
        if path != COHORT_PATH:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
    value = bare(source)
    value["tasks"] = value["tasks"][:tasks]
    make(life.where, value, life.author)
    return life


def frozen(root: Path, author: Signer | None = None, source: Sample | None = None) -> Life:
    """A cohort of five tasks, frozen with a review; nothing is attached."""
    life = begun(root, author=author, source=source)
    collect(life.where, life.author)
    freeze(life.where, life.reviewed(), life.author)
    return life
