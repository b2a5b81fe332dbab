"""The validator tried on cohorts made in memory: what must pass passes, and each lie is refused for its own reason.

No candidate's code runs and no file is opened. The cases are those of the original's self-test and more: every binding between
documents, what keeps the definition's digest and what changes it, what the printed definition may not tell, and what strict
reading refuses although the original accepts it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from tallystick.core import pyjson
from tallystick.records.cohort.cohort import parse_cohort
from tallystick.records.cohort.reading import Node
from tallystick.suites.cohorts.definition import definition, definition_digest
from tallystick.suites.cohorts.reporting import Code, Report
from tallystick.suites.cohorts.samples import COHORT_PATH, MemoryFiles, Sample, Shape, sample
from tallystick.suites.cohorts.validating import Options, validate

__all__ = ["Outcome", "self_test"]

_Change = Callable[[Sample], object]
_ZEROS: Final = "sha256:" + "0" * 64
_SCAFFOLD: Final = Shape(tasks=1, attempts=0, stage="scaffold")
_PENDING: Final = Shape(attempts=0)
_FULL: Final = Shape()
_COMPAT: Final = Options(compat=True)
_COMPLETE: Final = Options(compat=True, require_evidence=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case: what it shows, and whether it came out so."""

    shows: str
    ok: bool


@dataclass(frozen=True, slots=True)
class _Lie:
    """A change to a sound cohort, and the code of the first finding. `refit`: all digests are made to hold again after it."""

    shows: str
    change: _Change
    code: Code
    shape: Shape = _FULL
    refit: bool = False
    options: Options = _COMPAT


def self_test() -> Iterator[Outcome]:
    """Every case, as it comes out here."""
    yield from _sound()
    for lie in (*_BINDING, *_COMPLETENESS):
        yield Outcome(lie.shows, _first(_report(_changed(lie), lie.options)) == lie.code)
    for lie in _STRICT:
        accepted = _report(_changed(lie), _COMPLETE).ok
        yield Outcome(lie.shows, accepted and _first(_report(_changed(lie), Options())) == lie.code)
    yield from _paths()
    yield from _definition()


def _sound() -> Iterator[Outcome]:
    """What must pass, compatibly and strictly."""
    for version in ("0.2", "0.3", "0.4"):
        report = _report(sample(Shape(tasks=1, attempts=0, stage="scaffold", plan=version)), Options())
        yield Outcome(f"a scaffold with a plan of version {version} validates", report.ok and report.pending_tasks == 1)
    for stage in ("frozen", "burned"):
        for compat in (True, False):
            report = _report(sample(Shape(attempts=2, stage=stage)), Options(compat, require_evidence=True))
            how = "compatibly" if compat else "strictly"
            counted = report.verified_tasks == report.task_count
            yield Outcome(f"a {stage} cohort with all its evidence validates {how}", report.ok and counted)
    collecting = Shape(attempts=0, stage="collecting")
    yield Outcome("a collecting cohort without a digest validates", _report(sample(collecting), Options()).ok)


def _paths() -> Iterator[Outcome]:
    """Where a cohort may not lie."""
    files = MemoryFiles(sample(_SCAFFOLD).files())
    for path in ("../cohort.json", "/cohort/cohort.json", ""):
        yield Outcome(f"the path {path!r} is unsafe", _first(validate(files, path, _COMPAT)) == Code.PATH_UNSAFE)
    yield Outcome("a file must be there", _first(validate(files, "other.json", _COMPAT)) == Code.FILE_MISSING)


def _definition() -> Iterator[Outcome]:
    """What the digest covers and what it does not."""
    before = definition_digest(parse_cohort(sample(_FULL).cohort))
    for what, change in _UNCOMMITTED.items():
        yield Outcome(f"changing {what} keeps the digest", _digest_after(change) == before)
    for what, change in _COMMITTED.items():
        yield Outcome(f"changing {what} changes the digest", _digest_after(change) != before)
    shown = pyjson.canonical(definition(parse_cohort(sample(_FULL).cohort)))
    leaks = [word for word in (b"attempt", b'"outcome"', b"path", b"stage", b"evidence_") if word in shown]
    yield Outcome("the definition tells no outcome", not leaks)


def _digest_after(change: _Change) -> str:
    made = sample(_FULL)
    change(made)
    return definition_digest(parse_cohort(made.cohort))


def _changed(lie: _Lie) -> Sample:
    made = sample(lie.shape)
    lie.change(made)
    if lie.refit:
        made.refit()
    return made


def _report(made: Sample, options: Options) -> Report:
    return validate(MemoryFiles(made.files()), COHORT_PATH, options)


def _first(report: Report) -> Code | None:
    return report.findings[0].code if report.findings else None


def _exclude(made: Sample, number: int = 0) -> None:
    made.task(number)["evidence"] = {"status": "excluded", "attempts": [], "exclusion_reason": "The source went away."}


_BINDING: Final = (
    _Lie("a plan of an unknown version is refused", lambda s: s.plan().update(schema_version="9.9"),
         Code.PLAN_VERSION_UNSUPPORTED, _SCAFFOLD),
    _Lie("a WorkUnit of another digest is refused", lambda s: s.task()["work_unit"].update(digest=_ZEROS),
         Code.DIGEST_DRIFT, _SCAFFOLD),
    _Lie("a plan of another digest is refused", lambda s: s.task()["evaluator"].update(plan_digest=_ZEROS),
         Code.DIGEST_DRIFT, _SCAFFOLD),
    _Lie("a plan for other validators is refused", lambda s: s.plan()["required_validator_ids"].pop(),
         Code.VALIDATOR_SET_DRIFT, _SCAFFOLD, refit=True),
    _Lie("another backend than the plan's is refused", lambda s: s.task()["evaluator"].update(backend="other"),
         Code.BACKEND_DRIFT, _SCAFFOLD),
    _Lie("a revision that is no commit is refused while collecting", lambda s: s.task()["source"].update(revision="main"),
         Code.REVISION_NOT_PINNED, Shape(attempts=0, stage="collecting")),
    _Lie("the same work under a second task id is refused", lambda s: s.cohort["tasks"].append({**s.task(), "id": "another"}),
         Code.DUPLICATE_ITEM, _SCAFFOLD),
    _Lie("a task id used twice is refused", lambda s: s.task(1).update(id=s.task(0)["id"]),
         Code.TASK_IDS_NOT_UNIQUE, _PENDING),
    _Lie("a structure that was not declared is refused", lambda s: s.attempt().update(structural_signature="new"),
         Code.SIGNATURE_UNDECLARED),
    _Lie("a ResultManifest of another digest is refused", lambda s: s.manifest()["resources"].update(wall_seconds=1.0),
         Code.DIGEST_DRIFT),
    _Lie("a VerificationResult by another evaluator is refused",
         lambda s: _keep_result(s).update(verifier_config_digest=_ZEROS),
         Code.EVALUATOR_UNBOUND, refit=True),
    _Lie("a verifier that is not independent is refused",
         lambda s: s.result()["independence"].update(independent_from_worker=False), Code.NOT_INDEPENDENT, refit=True),
    _Lie("an outcome that is not the verifier's is refused", lambda s: s.attempt().update(outcome="reject"),
         Code.OUTCOME_DRIFT),
    _Lie("a metric that nobody measured is refused", lambda s: s.manifest()["resources"].pop("tokens"),
         Code.METRIC_MISSING, refit=True),
    _Lie("attempts of an excluded task are refused",
         lambda s: s.task()["evidence"].update(status="excluded", exclusion_reason="Late."), Code.ATTEMPTS_NOT_ALLOWED),
    _Lie("a negative that is accepted is refused",
         lambda s: s.negative()["decision_support"].update(recommendation="accept_candidate"),
         Code.NEGATIVE_ACCEPTS, refit=True),
    _Lie("a negative without the expected finding is refused",
         lambda s: s.negative()["findings"][0].update(category="security"), Code.NEGATIVE_FINDING_MISSING, refit=True),
)  # fmt: skip
_COMPLETENESS: Final = (
    _Lie("a frozen cohort without its digest is refused", lambda s: s.cohort.pop("definition_digest"), Code.SCHEMA, _PENDING),
    _Lie("a frozen cohort with another digest is refused", lambda s: s.cohort.update(definition_digest=_ZEROS),
         Code.DEFINITION_DRIFT, _PENDING),
    _Lie("a frozen cohort with too few tasks is refused", lambda s: s.cohort["tasks"].pop(),
         Code.TOO_FEW_TASKS, _PENDING, refit=True),
    _Lie("a frozen cohort without a required family is refused", lambda s: s.cohort["required_families"].append("other"),
         Code.FAMILIES_UNCOVERED, _PENDING, refit=True),
    _Lie("an authority that is granted is refused", lambda s: s.cohort["authority"].update(merge=True), Code.SCHEMA, _PENDING),
    _Lie("a hidden plan with a path is refused", lambda s: s.task()["evaluator"].update(visibility="hidden"),
         Code.SCHEMA, _PENDING),
    _Lie("missing evidence is refused where it is required", lambda _: None,
         Code.EVIDENCE_PENDING, _PENDING, options=_COMPLETE),
    _Lie("a missing negative is refused where it is required",
         lambda s: s.task().update(negative_case=sample(_PENDING).task()["negative_case"]),
         Code.NEGATIVE_UNVERIFIED, options=_COMPLETE),
)  # fmt: skip
_STRICT: Final = (
    _Lie("strictly, one result is one attempt", lambda s: s.attempt(0, 1).update(_same_evidence(s)), Code.RESULT_COUNTED_TWICE),
    _Lie("strictly, an attempt counts for the structure that it had",
         lambda s: s.attempt().update(structural_signature="two-workers-v1"), Code.SIGNATURE_DRIFT),
    _Lie("strictly, a verifier is not the worker", lambda s: s.result()["verifier"].update(id="sample-worker"),
         Code.VERIFIER_IS_WORKER, refit=True),
    _Lie("strictly, what failed is not accepted", lambda s: s.result().update(status="failed"),
         Code.VERDICT_CONTRADICTS_STATUS, refit=True),
    _Lie("strictly, a failed check is not accepted", lambda s: s.result()["checks"][0].update(status="failed"),
         Code.VERDICT_CONTRADICTS_CHECKS, refit=True),
    _Lie("strictly, nobody verifies before the work is done", lambda s: s.result().update(started_at="1998-01-01T00:00:00Z"),
         Code.DATES_OUT_OF_ORDER, refit=True),
    _Lie("strictly, artifacts keep their bytes", lambda s: s.artifacts.update({"cohort/0000/attempt-1/candidate.patch": b""}),
         Code.ARTIFACT_CHANGED),
    _Lie("strictly, artifacts are there", lambda s: s.artifacts.pop("cohort/0000/attempt-1/stdout.txt"), Code.ARTIFACT_MISSING),
    _Lie("strictly, a negative is its task's own",
         lambda s: s.task()["negative_case"].update(_negative_of(s, 1)), Code.NEGATIVE_OF_ANOTHER_TASK),
    _Lie("strictly, an id has no line feed", lambda s: s.cohort.update(id="sample/cohort\n"),
         Code.TRAILING_NEWLINE, refit=True),
    _Lie("strictly, a metric is a number", lambda s: s.manifest()["resources"].update(wall_seconds=float("nan")),
         Code.NUMBER_NOT_FINITE, refit=True),
)  # fmt: skip
_UNCOMMITTED: Final[dict[str, _Change]] = {
    "evidence to an exclusion": _exclude,
    "the stage": lambda s: s.cohort.update(stage="burned"),
    "the description": lambda s: s.cohort.update(description="Anything."),
    "an extension": lambda s: s.cohort.update(extensions={"any": 1}),
    "the order of tasks": lambda s: s.cohort["tasks"].reverse(),
    "the order of signatures": lambda s: s.task()["declared_structural_signatures"].reverse(),
    "a path": lambda s: s.task()["work_unit"].update(path="elsewhere.json"),
}
_COMMITTED: Final[dict[str, _Change]] = {
    "the title": lambda s: s.cohort.update(title="A sample "),
    "the difficulty": lambda s: s.task().update(difficulty="large"),
    "the family": lambda s: s.task().update(family="other"),
    "the split": lambda s: s.task().update(split="held_out"),
    "the revision": lambda s: s.task()["source"].update(revision="6" * 40),
    "the WorkUnit's digest": lambda s: s.task()["work_unit"].update(digest=_ZEROS),
    "the WorkUnit's version to another spelling": lambda s: s.task()["work_unit"].update(version=1.0),
    "the plan's digest": lambda s: s.task()["evaluator"].update(plan_digest=_ZEROS),
    "the expected category": lambda s: s.task()["negative_case"].update(expected_category="security"),
    "the required metrics": lambda s: s.task()["accounting"]["required_metrics"].pop(),
    "the declared signatures": lambda s: s.task()["declared_structural_signatures"].append("later"),
    "the smallest number of tasks": lambda s: s.cohort.update(minimum_final_tasks=6),
}


def _keep_result(made: Sample) -> Node:
    """The provenance of the first VerificationResult, which refitting leaves alone from now on."""
    made.kept.add(made.attempt()["verification_result"]["path"])
    provenance: Node = made.result()["provenance"]
    return provenance


def _same_evidence(made: Sample) -> dict[str, object]:
    first = made.attempt(0, 0)
    return {name: first[name] for name in ("result_manifest", "verification_result", "structural_signature")}


def _negative_of(made: Sample, number: int) -> dict[str, object]:
    other = made.task(number)["negative_case"]
    return {name: other[name] for name in ("evidence_path", "evidence_digest")}
