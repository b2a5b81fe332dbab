"""Decisions and messages of the original: on its real cohorts, and on each of them with one thing changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tallystick.core import pyjson
from tallystick.records.cohort.cohort import parse_cohort
from tallystick.suites.cohorts.definition import definition_digest
from tallystick.suites.cohorts.files import open_files
from tallystick.suites.cohorts.samples import COHORT_PATH, MemoryFiles, Sample, Shape, sample
from tallystick.suites.cohorts.validating import Options, validate
from tests.support.cohorts import FIRST_FIVE, REAL, SUCCESSOR_FIVE, judged, needed, real

T: Final = "benchmark/phase-b2-successor/001-negative-evidence-type-boundary"
ZEROS: Final = "sha256:" + "0" * 64
FIRST_DIGEST: Final = "sha256:4fdec8a2768e32dc223b218ed70aec3a67aefcd87c64b72c5675c9921a4eab5c"
SUCCESSOR_DIGEST: Final = "sha256:3182d8710e1239c19cb95daddd0677241c0cd9123614786fd919b036922dbdd9"
Change = Callable[[Sample], object]


@needed
@pytest.mark.parametrize(
    ("path", "digest", "evidence"),
    [(FIRST_FIVE, FIRST_DIGEST, False), (SUCCESSOR_FIVE, SUCCESSOR_DIGEST, False), (SUCCESSOR_FIVE, SUCCESSOR_DIGEST, True)],
)
def test_real_cohorts_validate(path: str, digest: str, *, evidence: bool) -> None:
    with open_files(REAL, compat=True) as files:
        report = validate(files, path, Options(compat=True, require_evidence=evidence))
    assert report.findings == ()
    assert report.definition_digest == digest
    assert report.task_count == report.verified_tasks + report.excluded_tasks == 5


def keep(made: Sample, path: str) -> None:
    made.kept.add(path)


def bind_result(made: Sample, **members: object) -> None:
    """Change what the first VerificationResult says of its own provenance, and leave it so."""
    made.result()["provenance"].update(members)
    keep(made, made.attempt()["verification_result"]["path"])


def bind_manifest(made: Sample, **members: object) -> None:
    made.manifest()["provenance"].update(members)
    keep(made, made.attempt()["result_manifest"]["path"])


EVIDENCE: Final[dict[str, tuple[Change, str]]] = {
    "1 schema of the manifest": (
        lambda s: s.manifest().pop("worker"),
        f"{T}/attempt-001 ResultManifest failed schema validation: ",
    ),
    "1 schema of the result": (
        lambda s: s.result().update(status="fine"),
        f"{T}/attempt-001 VerificationResult failed schema validation: ",
    ),
    "2 digest": (
        lambda s: s.attempt()["result_manifest"].update(digest=ZEROS),
        f"{T}/attempt-001 ResultManifest: canonical digest drift",
    ),
    "2 id": (
        lambda s: s.attempt()["verification_result"].update(id="another"),
        f"{T}/attempt-001 VerificationResult: id drift",
    ),
    "3 manifest to WorkUnit": (
        lambda s: bind_manifest(s, work_unit_digest=ZEROS),
        f"{T}: ResultManifest WorkUnit digest drift",
    ),
    "3 manifest to source": (
        lambda s: bind_manifest(s, source_revision="main"),
        f"{T}: ResultManifest source revision drift",
    ),
    "4 required validators": (
        lambda s: s.manifest()["verification_request"].update(expected_validator_ids=["independent-review"]),
        f"{T}: ResultManifest omitted required validator request",
    ),
    "5 result to manifest": (
        lambda s: bind_result(s, result_manifest_digest=ZEROS),
        f"{T}: VerificationResult ResultManifest digest drift",
    ),
    "6 result to WorkUnit": (
        lambda s: bind_result(s, work_unit_digest=ZEROS),
        f"{T}: VerificationResult WorkUnit digest drift",
    ),
    "6 result to source": (
        lambda s: bind_result(s, source_revision="main"),
        f"{T}: VerificationResult source revision drift",
    ),
    "7 evaluator": (
        lambda s: bind_result(s, verifier_config_digest=ZEROS),
        f"{T}: VerificationResult is not bound to indexed EvaluatorPlan digest",
    ),
    "8 independence": (
        lambda s: s.result()["independence"].update(independent_from_worker=False),
        f"{T}: analyzed verification is not independent from worker",
    ),
    "9 outcome": (lambda s: s.attempt().update(outcome="reject"), f"{T}: indexed attempt outcome drift"),
    "10 signature": (
        lambda s: s.attempt().update(structural_signature="afterthought"),
        f"{T}/attempt-001: structural signature was not predeclared",
    ),
    "11 accounting": (
        lambda s: (s.manifest()["resources"].pop("human_minutes"), s.result()["resources"].pop("human_minutes")),
        f"{T}/attempt-001: missing required accounting metric human_minutes",
    ),
}  # fmt: skip
"""The eleven checks of evidence that the format's description lists, by their numbers there."""

INDEXED: Final = {"2 digest", "2 id"}
"""What is wrong in the index itself, which refitting would mend."""


@needed
@pytest.mark.parametrize("name", EVIDENCE)
def test_each_check_of_evidence_fails_on_a_changed_real_file(name: str) -> None:
    change, message = EVIDENCE[name]
    made = real(SUCCESSOR_FIVE)
    change(made)
    if name not in INDEXED:
        made.refit()
    first, *_ = judged(made, compat=True).findings
    assert first.message.startswith(message)
    assert (first.step, first.task) == (10, T)


def test_the_checks_are_eleven() -> None:
    assert {int(name.split()[0]) for name in EVIDENCE} == set(range(1, 12))


S: Final = "sample/0000"
OTHERS: Final[dict[str, tuple[Shape, Change, int, str]]] = {
    "task ids": (Shape(), lambda s: s.task(1).update(id=S), 2, "benchmark task ids must be unique"),
    "revision": (
        Shape(attempts=0, stage="collecting"),
        lambda s: s.task()["source"].update(revision="5" * 39),
        3,
        f"{S}: collecting/frozen benchmark source revision must be a full 40-hex Git SHA",
    ),
    "WorkUnit digest": (
        Shape(), lambda s: s.task()["work_unit"].update(digest=ZEROS), 4, f"{S} WorkUnit: canonical digest drift"
    ),
    "WorkUnit id": (Shape(), lambda s: s.task()["work_unit"].update(id="other"), 4, f"{S} WorkUnit: id drift"),
    "WorkUnit version": (Shape(), lambda s: s.task()["work_unit"].update(version=2), 5, f"{S}: WorkUnit version drift"),
    "WorkUnit revision": (
        Shape(), lambda s: s.task()["source"].update(revision="4" * 40), 6, f"{S}: WorkUnit source revision drift"
    ),
    "plan version": (
        Shape(), lambda s: s.plan().update(schema_version="9.9"), 8,
        f"{S} EvaluatorPlan: unsupported EvaluatorPlan schema_version '9.9'",
    ),
    "own plan version": (
        Shape(), lambda s: s.plan().update(schema_version="tallystick-0.1"), 8,
        f"{S} EvaluatorPlan: unsupported EvaluatorPlan schema_version 'tallystick-0.1'",
    ),
    "no plan version": (
        Shape(), lambda s: s.plan().pop("schema_version"), 8, f"{S} EvaluatorPlan: missing evaluator schema_version"
    ),
    "plan id": (Shape(), lambda s: s.task()["evaluator"].update(plan_id="other"), 8, f"{S}: EvaluatorPlan id drift"),
    "plan digest": (
        Shape(), lambda s: s.task()["evaluator"].update(plan_digest=ZEROS), 8, f"{S}: EvaluatorPlan digest drift"
    ),
    "backend": (Shape(), lambda s: s.task()["evaluator"].update(backend="x"), 8, f"{S}: evaluator backend drift"),
    "plan's WorkUnit": (
        Shape(), lambda s: s.plan()["binding"].update(work_unit_id="other"), 8, f"{S}: EvaluatorPlan digest drift"
    ),
    "attempt ids": (
        Shape(), lambda s: s.attempt(0, 1).update(attempt_id="attempt-1"), 9,
        f"{S}: attempt ids must be unique within a task",
    ),
    "attempts of a pending task": (
        Shape(), lambda s: s.task()["evidence"].update(status="pending"), 10,
        f"{S}: pending/excluded task may not attach analyzed attempts",
    ),
    "negative digest": (
        Shape(), lambda s: s.task()["negative_case"].update(evidence_digest=ZEROS), 11, f"{S}: negative-evidence digest drift"
    ),
    "too few": (
        Shape(), lambda s: (s.cohort["tasks"].pop(), s.cohort["required_families"].clear(),
                            s.cohort["required_families"].append("bug_fix")), 13,
        "frozen/burned cohort is smaller than minimum_final_tasks",
    ),
    "families": (
        Shape(), lambda s: s.cohort["required_families"].append("other"), 13,
        "frozen/burned cohort does not cover all required task families",
    ),
    "definition": (
        Shape(), lambda s: s.cohort.update(title="Another"), 14, "benchmark pre-outcome definition digest drift"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_the_other_checks(name: str) -> None:
    shape, change, step, message = OTHERS[name]
    made = sample(shape)
    change(made)
    first, *_ = judged(made, compat=True).findings
    assert (first.step, first.message) == (step, message)


@pytest.mark.parametrize(
    ("member", "value", "what"),
    [
        ("work_unit_id", "other", "WorkUnit id"),
        ("work_unit_version", 2, "WorkUnit version"),
        ("work_unit_digest", ZEROS, "WorkUnit digest"),
        ("source_revision", "main", "source revision"),
    ],
)
def test_a_plan_is_bound_to_its_work_unit(member: str, value: object, what: str) -> None:
    made = sample()
    made.plan()["binding"][member] = value
    keep(made, made.task()["evaluator"]["plan_path"])
    made.refit()
    assert judged(made, compat=True).findings[0].message == f"{S}: EvaluatorPlan {what} drift"


@pytest.mark.parametrize(
    ("document", "member", "what"),
    [
        ("result_manifest", "work_unit_id", "ResultManifest WorkUnit id"),
        ("result_manifest", "work_unit_version", "ResultManifest WorkUnit version"),
        ("verification_result", "result_manifest_id", "VerificationResult ResultManifest id"),
        ("verification_result", "work_unit_id", "VerificationResult WorkUnit id"),
        ("verification_result", "work_unit_version", "VerificationResult WorkUnit version"),
    ],
)
def test_an_attempt_is_bound_to_its_work_unit(document: str, member: str, what: str) -> None:
    made = sample()
    path = made.attempt()[document]["path"]
    made.documents[path][member] = 7 if member.endswith("version") else "other"
    keep(made, path)
    made.refit()
    assert judged(made, compat=True).findings[0].message == f"{S}: {what} drift"


def test_required_evidence() -> None:
    pending = judged(sample(Shape(attempts=0)), compat=True, require_evidence=True)
    assert [each.message for each in pending.findings] == [f"sample/{n:04}: evidence is still pending" for n in range(5)]
    made = sample()
    made.task()["negative_case"] = sample(Shape(attempts=0)).task()["negative_case"]
    (only,) = judged(made, compat=True, require_evidence=True).findings
    assert only.message == f"{S}: included benchmark item lacks verified seeded-negative evidence"
    made.task()["evidence"] = {"status": "excluded", "attempts": [], "exclusion_reason": "gone"}
    assert judged(made, compat=True, require_evidence=True).ok


def test_a_hidden_plan_is_its_digest_alone() -> None:
    made = sample()
    evaluator = made.task()["evaluator"]
    evaluator["visibility"] = "hidden"
    del evaluator["plan_path"]
    made.refit()
    assert judged(made, compat=True).ok
    bind_result(made, verifier_config_digest=ZEROS)
    made.refit()
    assert judged(made, compat=True).findings[0].code == "evaluator-unbound"


def test_all_failures_are_listed_and_the_first_is_the_originals() -> None:
    made = sample()
    made.result(3)["independence"]["independent_from_worker"] = False
    made.result(1)["verifier"]["id"] = "sample-worker"
    made.refit()
    made.task(2)["evaluator"]["backend"] = "x"
    steps = [(finding.step, finding.task) for finding in judged(made).findings]
    assert steps == [(8, "sample/0002"), (10, "sample/0003"), (14, None), (18, "sample/0001")]


def test_whole_floats_are_equal_and_give_another_digest() -> None:
    made = sample()
    made.task()["work_unit"]["version"] = 1.0
    before = made.cohort["definition_digest"]
    assert definition_digest(parse_cohort(made.cohort)) != before
    made.refit()
    assert judged(made, compat=True).ok


def test_links_inside_the_root_are_followed_as_the_original_does(tmp_path: Path) -> None:
    files = sample().files()
    for path, data in files.items():
        (tmp_path / "real" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "real" / path).write_bytes(data)
    (tmp_path / "cohort").symlink_to("real/cohort")
    with open_files(tmp_path, compat=True) as opened:
        assert validate(opened, "cohort/cohort.json", Options(compat=True)).ok
        outside = tmp_path / "real" / "out.json"
        outside.symlink_to("/etc/hostname")
        (only,) = validate(opened, "real/out.json", Options(compat=True)).findings
    assert only.message == "BenchmarkCohort: path escapes repository root: real/out.json"


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"[1]", "json-not-object"), (b"{", "json-unreadable"), (b'{"a": "\\ud800"}', "schema"), (b"{}", "schema")],
)
def test_what_is_no_cohort(tmp_path: Path, data: bytes, code: str) -> None:
    (tmp_path / "c.json").write_bytes(data)
    for compat in (True, False):
        with open_files(tmp_path, compat=compat) as files:
            assert validate(files, "c.json", Options(compat=compat)).findings[0].code == code


def test_a_string_that_cannot_be_hashed_is_a_finding() -> None:
    made = sample()
    files = made.files()
    files[COHORT_PATH] = pyjson.canonical(made.cohort).replace(b'"A sample"', b'"\\ud800"')
    for compat in (True, False):
        report = validate(MemoryFiles(files), COHORT_PATH, Options(compat=compat))
        assert (report.findings[0].step, report.findings[0].code) == (14, "json-unreadable")
