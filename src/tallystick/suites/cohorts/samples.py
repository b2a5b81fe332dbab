"""Cohorts made in memory, for trying the validator: sound ones, which whoever tries it then changes.

A sample refits itself: after a change, digests and bindings are made to hold again, as a careful liar would. What refitting is
to leave as the change made it is named in `kept`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from tallystick.core import pyjson
from tallystick.core.digest import Digest, sha256
from tallystick.records.cohort.cohort import AUTHORITY, parse_cohort
from tallystick.records.cohort.reading import Node
from tallystick.suites.cohorts import sample_documents as made_of
from tallystick.suites.cohorts.definition import definition_digest
from tallystick.suites.cohorts.files import FileRefusedError, check_path
from tallystick.suites.cohorts.reporting import Code

__all__ = ["COHORT_PATH", "MemoryFiles", "Sample", "Shape", "sample", "sample_cohort", "sample_task"]

COHORT_PATH: Final = "cohort/cohort.json"


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """Files by path, as `Files` reads them."""

    files: dict[str, bytes]

    def read(self, path: str, label: str) -> bytes:
        """See `Files`."""
        check_path(path, label)
        if path not in self.files:
            raise FileRefusedError(Code.FILE_MISSING, f"{label}: referenced file does not exist: {path}")
        return self.files[path]

    def digest(self, path: str, label: str) -> Digest:
        """See `Files`."""
        return sha256(self.read(path, label))


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a sample is and how far it has come: frozen with `attempts` at each signature, or without evidence."""

    tasks: int = 5
    attempts: int = 1
    stage: str = "frozen"
    plan: str = "0.4"

    @property
    def evidence(self) -> bool:
        """Whether attempts and negatives are attached."""
        return self.attempts > 0


@dataclass(slots=True)
class Sample:
    """A cohort, its documents and other files by path. `kept`: paths of documents that refitting leaves alone."""

    cohort: Node
    documents: dict[str, Node]
    artifacts: dict[str, bytes]
    kept: set[str] = field(default_factory=set)

    def task(self, number: int = 0) -> Node:
        """A task of the index."""
        return _node(self.cohort["tasks"][number])

    def attempt(self, number: int = 0, attempt: int = 0) -> Node:
        """An attempt of the index."""
        return _node(self.task(number)["evidence"]["attempts"][attempt])

    def unit(self, number: int = 0) -> Node:
        """A task's WorkUnit."""
        return self.documents[self.task(number)["work_unit"]["path"]]

    def plan(self, number: int = 0) -> Node:
        """A task's EvaluatorPlan."""
        return self.documents[self.task(number)["evaluator"]["plan_path"]]

    def manifest(self, number: int = 0, attempt: int = 0) -> Node:
        """An attempt's ResultManifest."""
        return self.documents[self.attempt(number, attempt)["result_manifest"]["path"]]

    def result(self, number: int = 0, attempt: int = 0) -> Node:
        """An attempt's VerificationResult."""
        return self.documents[self.attempt(number, attempt)["verification_result"]["path"]]

    def negative(self, number: int = 0) -> Node:
        """A task's seeded negative."""
        return self.documents[self.task(number)["negative_case"]["evidence_path"]]

    def refit(self) -> None:
        """Make every digest and binding hold, of what is there now."""
        for task in self.cohort["tasks"]:
            _refit_task(task, self.documents, self.kept)
        if COHORT_PATH not in self.kept and "definition_digest" in self.cohort:
            self.cohort["definition_digest"] = definition_digest(parse_cohort(self.cohort))

    def files(self) -> dict[str, bytes]:
        """All files as bytes."""
        documents = {COHORT_PATH: self.cohort, **self.documents}
        return {**{path: pyjson.canonical(value) for path, value in documents.items()}, **self.artifacts}


def sample(shape: Shape = Shape()) -> Sample:
    """A sound cohort; strict validation with required evidence finds nothing in it, if it has evidence."""
    documents: dict[str, Node] = {}
    artifacts: dict[str, bytes] = {}
    tasks = []
    for number in range(shape.tasks):
        task, own, files = sample_task(number, shape)
        tasks.append(task)
        documents |= own
        artifacts |= files
    made = Sample(sample_cohort(tasks, shape.stage), documents, artifacts)
    made.refit()
    return made


def sample_cohort(tasks: list[Node], stage: str) -> Node:
    """A cohort file of these tasks; its definition digest is not made yet."""
    digest = {"definition_digest": "sha256:" + "0" * 64} if stage in {"frozen", "burned"} else {}
    return {
        "schema_version": "0.1",
        "id": "sample/cohort",
        "title": "A sample",
        "stage": stage,
        "minimum_final_tasks": 5,
        "required_families": sorted({task["family"] for task in tasks}),
        "taxonomy_frozen_before_outcomes": True,
        "authority": dict.fromkeys(AUTHORITY, False),
        "tasks": tasks,
        **digest,
    }


def sample_task(number: int, shape: Shape) -> tuple[Node, dict[str, Node], dict[str, bytes]]:
    """A task of an index, its documents and its other files, by path, all fitting."""
    name, base = f"sample/{number:04}", f"cohort/{number:04}"
    paths = {"unit": f"{base}/work-unit.json", "plan": f"{base}/plan.json", "negative": f"{base}/negative.json"}
    documents = {paths["unit"]: made_of.unit(name), paths["plan"]: made_of.plan(name, shape.plan)}
    artifacts: dict[str, bytes] = {}
    attempts: list[Node] = []
    for index in range(shape.attempts * len(made_of.SIGNATURES)):
        folder = f"{base}/attempt-{index + 1}"
        attempts.append(made_of.attempt(index, folder, name))
        documents[f"{folder}/result-manifest.json"] = made_of.manifest(name, index)
        documents[f"{folder}/verification-result.json"] = made_of.result(name, index)
        artifacts |= {f"{folder}/candidate.patch": made_of.PATCH + name.encode(), f"{folder}/stdout.txt": f"{index}\n".encode()}
    task = made_of.task(name, number, paths, attempts)
    if shape.evidence:
        documents[paths["negative"]] = made_of.negative(name)
    _refit_task(task, documents, set())
    return task, documents, artifacts


def _refit_task(task: Node, documents: dict[str, Node], kept: set[str]) -> None:
    """Make the digests of a task's documents, and what they say of each other, hold."""
    source, indexed = task["source"]["revision"], task["work_unit"]
    indexed["digest"] = _digest(documents, indexed["path"])
    binding = {
        "work_unit_id": indexed["id"],
        "work_unit_version": indexed["version"],
        "work_unit_digest": indexed["digest"],
        "source_revision": source,
    }
    plan_path = task["evaluator"].get("plan_path")
    if plan_path:
        if plan_path not in kept:
            documents[plan_path]["binding"] = binding
        task["evaluator"]["plan_digest"] = _digest(documents, plan_path)
    for attempt in task["evidence"]["attempts"]:
        _refit_attempt(task, attempt, documents, kept)
    case = task["negative_case"]
    if case["evidence_status"] == "verified":
        if case["evidence_path"] not in kept:
            _bind_result(documents[case["evidence_path"]], task, {})
        case["evidence_digest"] = _digest(documents, case["evidence_path"])


def _refit_attempt(task: Node, attempt: Node, documents: dict[str, Node], kept: set[str]) -> None:
    manifest, result = attempt["result_manifest"], attempt["verification_result"]
    if manifest["path"] not in kept:
        made = documents[manifest["path"]]
        made |= {"work_unit_id": task["work_unit"]["id"], "work_unit_version": task["work_unit"]["version"]}
        made["provenance"] |= {
            "work_unit_digest": task["work_unit"]["digest"],
            "source_revision": task["source"]["revision"],
        }
    manifest["digest"] = _digest(documents, manifest["path"])
    if result["path"] not in kept:
        _bind_result(documents[result["path"]], task, manifest)
    result["digest"] = _digest(documents, result["path"])


def _bind_result(result: Node, task: Node, manifest: Node) -> None:
    result |= {"work_unit_id": task["work_unit"]["id"], "work_unit_version": task["work_unit"]["version"]}
    result["provenance"] |= {
        "work_unit_digest": task["work_unit"]["digest"],
        "source_revision": task["source"]["revision"],
        "verifier_config_digest": task["evaluator"]["plan_digest"],
    }
    if manifest:
        result["result_manifest_id"] = manifest["id"]
        result["provenance"]["result_manifest_digest"] = manifest["digest"]


def _digest(documents: dict[str, Node], path: str) -> Digest:
    return pyjson.digest(documents[path])


def _node(value: Any) -> Node:  # noqa: ANN401  # a member of a document
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return value
