"""The validator tried on cohorts made in memory: what must pass passes, and each lie is refused for its own reason.

No candidate's code runs and no file is opened. The cases are those of the original's self-test and more: every binding between
documents, what keeps the definition's digest and what changes it, what the printed definition may not tell, what strict
reading refuses although the original accepts it, and how hidden evaluators are revealed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tallystick.core import pyjson
from tallystick.records.cohort.cohort import parse_cohort
from tallystick.records.cohort.reading import Node
from tallystick.suites.cohorts.definition import definition, definition_digest
from tallystick.suites.cohorts.reading import Reader
from tallystick.suites.cohorts.reporting import Code, Sheet
from tallystick.suites.cohorts.samples import COHORT_PATH, MemoryFiles, Sample, Shape, sample
from tallystick.suites.cohorts.self_test_case import (
    COMPAT,
    COMPLETE,
    FULL,
    Change,
    Lie,
    Outcome,
    first_code,
    refused,
    refused_by_strict_alone,
    report_of,
)
from tallystick.suites.cohorts.self_test_reveals import reveal_outcomes
from tallystick.suites.cohorts.validating import Options, load_cohort, validate

__all__ = ["Outcome", "self_test"]

_ZEROS: Final = "sha256:" + "0" * 64
_SCAFFOLD: Final = Shape(tasks=1, attempts=0, stage="scaffold")
_PENDING: Final = Shape(attempts=0)


def self_test() -> Iterator[Outcome]:
    """Every case, as it comes out here."""
    yield from _sound()
    yield from map(refused, (*_BINDING, *_COMPLETENESS))
    yield from map(refused_by_strict_alone, _STRICT)
    yield from reveal_outcomes()
    yield from _paths()
    yield from _loading()
    yield from _definition()


def _sound() -> Iterator[Outcome]:
    """What must pass, compatibly and strictly."""
    for version in ("0.2", "0.3", "0.4"):
        report = report_of(sample(Shape(tasks=1, attempts=0, stage="scaffold", plan=version)), Options())
        yield Outcome(f"a scaffold with a plan of version {version} validates", report.ok and report.pending_tasks == 1)
    for stage in ("frozen", "burned"):
        for compat in (True, False):
            report = report_of(sample(Shape(attempts=2, stage=stage)), Options(compat, require_evidence=True))
            how = "compatibly" if compat else "strictly"
            counted = report.verified_tasks == report.task_count
            yield Outcome(f"a {stage} cohort with all its evidence validates {how}", report.ok and counted)
    collecting = Shape(attempts=0, stage="collecting")
    yield Outcome("a collecting cohort without a digest validates", report_of(sample(collecting), Options()).ok)


def _paths() -> Iterator[Outcome]:
    """Where a cohort may not lie."""
    files = MemoryFiles(sample(_SCAFFOLD).files())
    for path in ("../cohort.json", "/cohort/cohort.json", ""):
        yield Outcome(f"the path {path!r} is unsafe", first_code(validate(files, path, COMPAT)) == Code.PATH_UNSAFE)
    yield Outcome("a file must be there", first_code(validate(files, "other.json", COMPAT)) == Code.FILE_MISSING)


def _loading() -> Iterator[Outcome]:
    """What `definition-digest` and `definition-json` read is what `validate` reads."""
    for what, data in _UNREADABLE.items():
        files = MemoryFiles({COHORT_PATH: data})
        reader = Reader(files, Sheet(), compat=True)
        loaded = load_cohort(reader, COHORT_PATH)
        report = validate(files, COHORT_PATH, COMPAT)
        same = loaded is None and reader.sheet.findings() == report.findings and not report.ok
        yield Outcome(f"{what} is refused alike by all who read it", same)


def _definition() -> Iterator[Outcome]:
    """What the digest covers and what it does not."""
    before = definition_digest(parse_cohort(sample(FULL).cohort))
    for what, change in _UNCOMMITTED.items():
        yield Outcome(f"changing {what} keeps the digest", _digest_after(change) == before)
    for what, change in _COMMITTED.items():
        yield Outcome(f"changing {what} changes the digest", _digest_after(change) != before)
    shown = pyjson.canonical(definition(parse_cohort(sample(FULL).cohort)))
    leaks = [word for word in (b"attempt", b'"outcome"', b"path", b"stage", b"evidence_") if word in shown]
    yield Outcome("the definition tells no outcome", not leaks)


def _digest_after(change: Change) -> str:
    made = sample(FULL)
    change(made)
    return definition_digest(parse_cohort(made.cohort))


def _exclude(made: Sample, number: int = 0) -> None:
    made.task(number)["evidence"] = {"status": "excluded", "attempts": [], "exclusion_reason": "The source went away."}


_BINDING: Final = (
    Lie("a plan of an unknown version is refused", lambda s: s.plan().update(schema_version="9.9"),
        Code.PLAN_VERSION_UNSUPPORTED, _SCAFFOLD),
    Lie("a WorkUnit of another digest is refused", lambda s: s.task()["work_unit"].update(digest=_ZEROS),
        Code.DIGEST_DRIFT, _SCAFFOLD),
    Lie("a plan of another digest is refused", lambda s: s.task()["evaluator"].update(plan_digest=_ZEROS),
        Code.DIGEST_DRIFT, _SCAFFOLD),
    Lie("a plan for other validators is refused", lambda s: s.plan()["required_validator_ids"].pop(),
        Code.VALIDATOR_SET_DRIFT, _SCAFFOLD, refit=True),
    Lie("another backend than the plan's is refused", lambda s: s.task()["evaluator"].update(backend="other"),
        Code.BACKEND_DRIFT, _SCAFFOLD),
    Lie("a revision that is no commit is refused while collecting", lambda s: s.task()["source"].update(revision="main"),
        Code.REVISION_NOT_PINNED, Shape(attempts=0, stage="collecting")),
    Lie("the same work under a second task id is refused", lambda s: s.cohort["tasks"].append({**s.task(), "id": "another"}),
        Code.DUPLICATE_ITEM, _SCAFFOLD),
    Lie("a task id used twice is refused", lambda s: s.task(1).update(id=s.task(0)["id"]),
        Code.TASK_IDS_NOT_UNIQUE, _PENDING),
    Lie("a structure that was not declared is refused", lambda s: s.attempt().update(structural_signature="new"),
        Code.SIGNATURE_UNDECLARED),
    Lie("a ResultManifest of another digest is refused", lambda s: s.manifest()["resources"].update(wall_seconds=1.0),
        Code.DIGEST_DRIFT),
    Lie("a VerificationResult by another evaluator is refused",
        lambda s: _keep_result(s).update(verifier_config_digest=_ZEROS),
        Code.EVALUATOR_UNBOUND, refit=True),
    Lie("a verifier that is not independent is refused",
        lambda s: s.result()["independence"].update(independent_from_worker=False), Code.NOT_INDEPENDENT, refit=True),
    Lie("an outcome that is not the verifier's is refused", lambda s: s.attempt().update(outcome="reject"),
        Code.OUTCOME_DRIFT),
    Lie("a metric that nobody measured is refused", lambda s: s.manifest()["resources"].pop("tokens"),
        Code.METRIC_MISSING, refit=True),
    Lie("attempts of an excluded task are refused",
        lambda s: s.task()["evidence"].update(status="excluded", exclusion_reason="Late."), Code.ATTEMPTS_NOT_ALLOWED),
    Lie("a negative that is accepted is refused",
        lambda s: s.negative()["decision_support"].update(recommendation="accept_candidate"),
        Code.NEGATIVE_ACCEPTS, refit=True),
    Lie("a negative without the expected finding is refused",
        lambda s: s.negative()["findings"][0].update(category="security"), Code.NEGATIVE_FINDING_MISSING, refit=True),
)  # fmt: skip
_COMPLETENESS: Final = (
    Lie("a frozen cohort without its digest is refused", lambda s: s.cohort.pop("definition_digest"), Code.SCHEMA, _PENDING),
    Lie("a frozen cohort with another digest is refused", lambda s: s.cohort.update(definition_digest=_ZEROS),
        Code.DEFINITION_DRIFT, _PENDING),
    Lie("a frozen cohort with too few tasks is refused", lambda s: s.cohort["tasks"].pop(),
        Code.TOO_FEW_TASKS, _PENDING, refit=True),
    Lie("a frozen cohort without a required family is refused", lambda s: s.cohort["required_families"].append("other"),
        Code.FAMILIES_UNCOVERED, _PENDING, refit=True),
    Lie("an authority that is granted is refused", lambda s: s.cohort["authority"].update(merge=True), Code.SCHEMA, _PENDING),
    Lie("a hidden plan with a path is refused", lambda s: s.task()["evaluator"].update(visibility="hidden"),
        Code.SCHEMA, _PENDING),
    Lie("missing evidence is refused where it is required", lambda _: None,
        Code.EVIDENCE_PENDING, _PENDING, options=COMPLETE),
    Lie("a missing negative is refused where it is required",
        lambda s: s.task().update(negative_case=sample(_PENDING).task()["negative_case"]),
        Code.NEGATIVE_UNVERIFIED, options=COMPLETE),
)  # fmt: skip
_STRICT: Final = (
    Lie("strictly, one result is one attempt", lambda s: s.attempt(0, 1).update(_same_evidence(s)), Code.RESULT_COUNTED_TWICE),
    Lie("strictly, an attempt counts for the structure that it had",
        lambda s: s.attempt().update(structural_signature="two-workers-v1"), Code.SIGNATURE_DRIFT),
    Lie("strictly, a verifier is not the worker", lambda s: s.result()["verifier"].update(id="sample-worker"),
        Code.VERIFIER_IS_WORKER, refit=True),
    Lie("strictly, what failed is not accepted", lambda s: s.result().update(status="failed"),
        Code.VERDICT_CONTRADICTS_STATUS, refit=True),
    Lie("strictly, a failed check is not accepted", lambda s: s.result()["checks"][0].update(status="failed"),
        Code.VERDICT_CONTRADICTS_CHECKS, refit=True),
    Lie("strictly, nobody verifies before the work is done", lambda s: s.result().update(started_at="1998-01-01T00:00:00Z"),
        Code.DATES_OUT_OF_ORDER, refit=True),
    Lie("strictly, artifacts keep their bytes", lambda s: s.artifacts.update({"cohort/0000/attempt-1/candidate.patch": b""}),
        Code.ARTIFACT_CHANGED),
    Lie("strictly, artifacts are there", lambda s: s.artifacts.pop("cohort/0000/attempt-1/stdout.txt"), Code.ARTIFACT_MISSING),
    Lie("strictly, a negative is its task's own",
        lambda s: s.task()["negative_case"].update(_negative_of(s, 1)), Code.NEGATIVE_OF_ANOTHER_TASK),
    Lie("strictly, an id has no line feed", lambda s: s.cohort.update(id="sample/cohort\n"),
        Code.TRAILING_NEWLINE, refit=True),
    Lie("strictly, a metric is a number", lambda s: s.manifest()["resources"].update(wall_seconds=float("nan")),
        Code.NUMBER_NOT_FINITE, refit=True),
)  # fmt: skip
_UNREADABLE: Final = {
    "a file that is no JSON": b"{",
    "a list": b"[]",
    "a cohort without tasks": pyjson.canonical({**sample(_SCAFFOLD).cohort, "tasks": []}),
    "a frozen cohort without a digest": pyjson.canonical({**sample(_SCAFFOLD).cohort, "stage": "frozen"}),
}
_UNCOMMITTED: Final[dict[str, Change]] = {
    "evidence to an exclusion": _exclude,
    "the stage": lambda s: s.cohort.update(stage="burned"),
    "the description": lambda s: s.cohort.update(description="Anything."),
    "an extension": lambda s: s.cohort.update(extensions={"any": 1}),
    "the order of tasks": lambda s: s.cohort["tasks"].reverse(),
    "the order of signatures": lambda s: s.task()["declared_structural_signatures"].reverse(),
    "a path": lambda s: s.task()["work_unit"].update(path="elsewhere.json"),
}
_COMMITTED: Final[dict[str, Change]] = {
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
