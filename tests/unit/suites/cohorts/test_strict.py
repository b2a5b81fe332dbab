"""What strict reading adds where the lies of `tests/attacks_on_cohorts` do not reach."""

from __future__ import annotations

import pytest

from tallystick.core.limits import COHORT_ARTIFACTS, COHORT_FINDINGS
from tallystick.suites.cohorts.reporting import Code, Sheet
from tallystick.suites.cohorts.samples import COHORT_PATH, MemoryFiles, Shape, sample
from tallystick.suites.cohorts.strict_attempts import instant
from tallystick.suites.cohorts.validating import Options, validate
from tests.support.cohorts import judged, told


@pytest.mark.parametrize("plan", ["0.2", "0.3", "0.4"])
@pytest.mark.parametrize("stage", ["frozen", "burned"])
def test_sound_cohorts(plan: str, stage: str) -> None:
    assert judged(sample(Shape(attempts=2, stage=stage, plan=plan)), require_evidence=True).ok


def test_a_plan_of_our_own_version_is_read_strictly_only() -> None:
    made = sample(Shape(attempts=0))
    task = made.task()
    plan = made.plan()
    made.documents[task["evaluator"]["plan_path"]] = {
        "schema_version": "tallystick-0.1",
        "id": plan["id"],
        "binding": plan["binding"],
        "required_validator_ids": plan["required_validator_ids"],
        "backend": {"type": "tallystick_task", "task_hash": "sha256:" + "1" * 64, "grader": None, "sandbox_policy": "default"},
        "execution_mode": "sandboxed_execution",
        "verifier": {"id": "tallystick", "adapter_version": "1"},
    }
    task["evaluator"]["backend"] = "tallystick_task"
    made.refit()
    assert judged(made).ok
    assert told(judged(made, compat=True)) == ["plan-version-unsupported"]


def test_strict_findings_of_one_document_do_not_hide_the_originals() -> None:
    made = sample()
    made.manifest()["resources"]["wall_seconds"] = float("inf")
    made.manifest()["id"] = "other/id"
    made.refit()
    report = judged(made)
    assert told(report)[:2] == ["id-drift", "number-not-finite"]


def test_a_lone_surrogate_where_nothing_is_hashed() -> None:
    files = sample(Shape(attempts=0)).files()
    files[COHORT_PATH] = files[COHORT_PATH].replace(b'{"authority"', b'{"description":"\\ud800","authority"')
    for compat, found in ((True, []), (False, ["lone-surrogate"])):
        assert told(validate(MemoryFiles(files), COHORT_PATH, Options(compat=compat))) == found


def test_a_manifest_that_names_too_many_files() -> None:
    made = sample()
    manifest = made.manifest()
    manifest["logs"] *= COHORT_ARTIFACTS
    made.refit()
    report = judged(made)
    assert told(report) == ["artifact-missing"]
    assert "at most 1000 are read" in report.findings[0].message


def test_a_file_that_many_name_is_read_once() -> None:
    class Counting(MemoryFiles):
        def digest(self, path: str, label: str) -> str:  # type: ignore[override]
            seen.append(path)
            return super().digest(path, label)

    seen: list[str] = []
    made = sample()
    made.manifest()["logs"] *= 50
    made.refit()
    assert validate(Counting(made.files()), COHORT_PATH, Options()).ok
    assert len(seen) == len(set(seen)) == 20


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000001Z"),
        ("2026-01-01T02:00:00+02:00", "2026-01-01t00:00:01z"),
        ("2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00.2Z"),
        ("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"),
    ],
)
def test_instants(early: str, late: str) -> None:
    assert instant(early) < instant(late)


def test_findings_are_bounded_and_the_originals_stay() -> None:
    sheet = Sheet()
    for number in range(COHORT_FINDINGS + 5):
        sheet.say(18, Code.SIGNATURE_DRIFT, str(number))
    sheet.say(14, Code.DEFINITION_DRIFT, "drift")
    found = sheet.findings()
    assert (len(found), sheet.left_out) == (COHORT_FINDINGS + 1, 5)
    assert found[0].code == Code.DEFINITION_DRIFT
