"""The report of a cohort: what it counts, what it refuses, and that it ranks nothing unless it is asked to compare."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tallystick.cli.cohort_report import report_lines
from tallystick.cli.screen import Style
from tallystick.core import c1
from tallystick.flows.cohort.opening import Where
from tallystick.flows.cohort.report import CohortReport, InvalidEvidenceError, make_report
from tallystick.flows.cohort.report_markdown import report_markdown
from tallystick.flows.cohort.report_page import report_page, write_report
from tallystick.flows.cohort.report_tree import report_tree
from tallystick.suites.cohorts.samples import COHORT_PATH, Sample, Shape, sample
from tests.support.cohorts import FIRST_FIVE, REAL, SUCCESSOR_FIVE, needed, write

RANKING = re.compile(r"\b(best|better|worse|winner|rank(ed|s)?|first place|worth more|p [=~<])", re.IGNORECASE)


def forms(report: CohortReport) -> list[str]:
    """Every form of a report as text."""
    return [
        "\n".join(report_lines(report, Style(color=False))),
        "".join(report_markdown(report)),
        re.sub(r"<style>.*?</style>", "", unescape("".join(report_page(report))), flags=re.DOTALL),
        c1.dumps(report_tree(report)).decode(),
    ]


def verdicts(made: Sample, *words: str) -> Sample:
    """Give the attempts at each task these outcomes, `1` for supported, in the order of the index."""
    for number, word in enumerate(words):
        for index, verdict in enumerate(word):
            if verdict == "1":
                continue
            made.attempt(number, index)["outcome"] = "reject"
            result = made.result(number, index)
            result["status"] = "failed"
            result["decision_support"]["recommendation"] = "reject_candidate"
    made.refit()
    return made


def report_of(made: Sample, root: Path, *, compare: bool = False) -> CohortReport:
    write(made, root)
    return make_report(Where(root, COHORT_PATH), compare=compare)


def signatures(made: Sample) -> list[str]:
    return [attempt["structural_signature"] for attempt in made.task(0)["evidence"]["attempts"]]


def test_signatures_stand_in_the_order_of_their_declaration(tmp_path: Path) -> None:
    """The second one passes everything, the first one nothing."""
    made = sample(Shape(attempts=2))
    order = signatures(made)
    words = "".join("0" if name == order[0] else "1" for name in order)
    report = report_of(verdicts(made, *[words] * 5), tmp_path)
    assert [row.signature for row in report.rows] == made.task(0)["declared_structural_signatures"]
    assert [row.rate for row in report.rows] == [0, 1]
    assert report.compared is None


def test_nothing_is_ranked_unless_comparing_is_asked_for(tmp_path: Path) -> None:
    made = sample(Shape(attempts=2, tasks=8))
    order = signatures(made)
    words = "".join("0" if name == order[0] else "1" for name in order)
    verdicts(made, *[words] * 8)
    plain = report_of(made, tmp_path / "plain")
    assert plain.strategies
    for form in forms(plain):
        assert RANKING.search(form) is None
        assert "compared" not in form or 'id="compared"' in form
    asked = report_of(made, tmp_path / "asked", compare=True)
    assert asked.compared is not None
    for form in forms(asked):
        assert "diversity is worth more" in form
    assert asked.strategies == plain.strategies


def test_where_all_tasks_differ_alike_there_is_no_interval(tmp_path: Path) -> None:
    made = sample(Shape(attempts=2, tasks=8))
    order = signatures(made)
    words = "".join("0" if name == order[0] else "1" for name in order)
    report = report_of(verdicts(made, *[words] * 8), tmp_path, compare=True)
    *shown, tree = forms(report)
    for form in shown:
        assert "+50 points, no interval, all tasks differ alike, p = 0.0078" in " ".join(form.split())
        assert "interval +" not in form
    assert '"low":0.5' in tree


def test_why_nothing_is_compared_does_not_advise_to_compare(tmp_path: Path) -> None:
    """One attempt of each of two signatures: nothing that one of them could repeat."""
    asked = report_of(sample(Shape(attempts=1)), tmp_path / "asked", compare=True)
    assert asked.strategies == ()
    plain = report_of(sample(Shape(attempts=1)), tmp_path / "plain")
    for form, other in zip(forms(asked)[:3], forms(plain)[:3], strict=True):
        text = " ".join(form.split())
        assert "each of the 2 signatures needs an attempt at every task, and one of them 2, since" in text
        assert "--compare" not in text
        assert "--compare" in other


def test_replication_and_diversity_spend_the_same(tmp_path: Path) -> None:
    made = sample(Shape(attempts=2))
    order = signatures(made)
    one, other = dict.fromkeys(order)
    # at the first task each passes once of two, elsewhere only the first signature passes
    first = {one: "10", other: "10"}
    half = "".join(first[name][order[:index].count(name)] for index, name in enumerate(order))
    rest = "".join("1" if name == one else "0" for name in order)
    report = report_of(verdicts(made, half, *[rest] * 4), tmp_path, compare=True)
    assert report.budget == 2
    assert [each.picks for each in report.strategies] == [((one, 2),), ((other, 2),), ((one, 1), (other, 1))]
    assert [each.mean for each in report.strategies] == [1, Fraction(1, 5), Fraction(3, 4) / 5 + Fraction(4, 5)]
    assert report.compared is not None
    assert report.compared.overall.mean == Fraction(19, 20) - Fraction(3, 5)
    assert report.compared.standing == "no difference shown"


def test_unequal_budgets_are_not_put_side_by_side(tmp_path: Path) -> None:
    made = sample(Shape(attempts=2))
    for number in range(5):
        made.task(number)["evidence"]["attempts"].pop()
    made.refit()
    report = report_of(made, tmp_path, compare=True)
    assert report.strategies == ()
    assert report.compared is None
    for form in forms(report):
        assert "not equal" in form


def test_an_excluded_task_counts_with_what_it_had(tmp_path: Path) -> None:
    made = sample(Shape(attempts=1, tasks=6))
    task = made.task(0)
    kept = [dict(attempt) for attempt in task["evidence"]["attempts"]]
    task["evidence"] = {"status": "excluded", "attempts": [], "exclusion_reason": "it was not fair"}
    task["negative_case"] = {name: task["negative_case"][name] for name in ("description", "expected_category")}
    task["negative_case"]["evidence_status"] = "pending"
    made.cohort["extensions"] = {"tallystick": {"excluded_attempts": {task["id"]: kept}}}
    made.refit()
    report = report_of(made, tmp_path)
    assert [each.task.id for each in report.excluded] == [task["id"]]
    assert [(row.attempts, row.supported, row.rate) for row in report.rows] == [(6, 5, Fraction(5, 6))] * 2
    for form in forms(report):
        assert task["id"] in form
    assert "1 task excluded after outcomes were seen: 2 attempts (2 supported) count as not supported" in " ".join(
        forms(report)[0].split()
    )


def test_a_task_that_was_excluded_before_any_outcome_is_in_no_number(tmp_path: Path) -> None:
    made = sample(Shape(attempts=1, tasks=6))
    task = made.task(0)
    task["evidence"] = {"status": "excluded", "attempts": [], "exclusion_reason": "found to be broken"}
    task["negative_case"] = {name: task["negative_case"][name] for name in ("description", "expected_category")}
    task["negative_case"]["evidence_status"] = "pending"
    made.refit()
    report = report_of(made, tmp_path)
    assert report.excluded == ()
    assert [(row.attempts, row.rate) for row in report.rows] == [(5, 1)] * 2


def test_a_cohort_that_does_not_validate_has_no_numbers(tmp_path: Path) -> None:
    made = sample(Shape(attempts=1))
    made.result()["decision_support"]["recommendation"] = "reject_candidate"
    write(made, tmp_path)
    with pytest.raises(InvalidEvidenceError, match=r"numbers are not used.*; all of it: tally cohort validate \S+ --root "):
        make_report(Where(tmp_path, COHORT_PATH))


def test_pending_tasks_and_a_missing_history_are_said(tmp_path: Path) -> None:
    report = report_of(sample(Shape(attempts=0)), tmp_path)
    assert report.rows == ()
    text = " ".join(forms(report)[0].split())
    assert "no attempts are attached" in text
    assert "5 of 5 tasks have no evidence yet" in text
    assert "there is no history beside it" in text


def test_text_of_others_breaks_no_form(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>|`\u202e"
    made = sample(Shape(attempts=1))
    for number in range(5):
        task = made.task(number)
        was = task["declared_structural_signatures"][0]
        task["declared_structural_signatures"][0] = evil
        for index, attempt in enumerate(task["evidence"]["attempts"]):
            if attempt["structural_signature"] == was:
                attempt["structural_signature"] = evil
                manifest: Any = made.manifest(number, index)
                manifest["extensions"] = {"tallystick.structural_signature": evil}
    made.refit()
    write(made, tmp_path)
    report = make_report(Where(tmp_path, COHORT_PATH), compat=True)
    page = "".join(report_page(report))
    assert "<script" not in page
    assert "\u202e" not in page
    assert "`<script>" not in "".join(report_markdown(report)).replace("¦", "|").replace("`<script>alert(1)</script>", "")
    assert all("\u202e" not in line for line in report_lines(report, Style(color=False)))


def test_a_page_is_the_same_whenever_it_is_made(tmp_path: Path) -> None:
    report = report_of(sample(Shape(attempts=2)), tmp_path, compare=True)
    sizes = {write_report(report, tmp_path / name) for name in ("a.html", "b.html")}
    assert len(sizes) == 1
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert b"<polyline" in (tmp_path / "a.html").read_bytes()


@pytest.mark.parametrize(
    "kept", [[], {"sample/0000": [{}]}, {"sample/0000": [{"structural_signature": "a", "outcome": "won"}]}]
)
def test_excluded_attempts_that_nobody_can_count_give_no_numbers(kept: object, tmp_path: Path) -> None:
    made = sample()
    made.cohort["extensions"] = {"tallystick": {"excluded_attempts": kept}}
    with pytest.raises(InvalidEvidenceError, match="excluded_attempts"):
        report_of(made, tmp_path)


def test_how_many_attempts_are_of_a_self_test_and_who_says_what_structure_they_had(tmp_path: Path) -> None:
    made = sample(Shape(attempts=2))
    name = signatures(made)[0]
    for number in range(2):
        manifest: Any = made.manifest(number)
        manifest["worker"] |= {"type": "system", "adapter": "oracle:oracle"}
        manifest["extensions"]["tallystick"] = {"index": 1}
    made.refit()
    for form in forms(report_of(made, tmp_path)):
        text = " ".join(form.split())
        assert f"{name}: 2 of 10 attempts are of a self-test (oracle:oracle)" in text
        assert "structural signatures are declared by whoever attached the attempts" in text


@needed
def test_real_cohorts_have_reports() -> None:
    report = make_report(Where(REAL, SUCCESSOR_FIVE), compat=True, compare=True)
    assert [(row.signature, row.attempts, row.supported) for row in report.rows] == [("single-worker-baseline-v1", 5, 5)]
    assert report.unused == ("two-independent-attempts-v1", "role-specialized-two-attempts-v1")
    assert report.unequal
    burned = make_report(Where(REAL, FIRST_FIVE), compat=True)
    assert burned.rows == ()
    assert burned.statuses()["excluded"] == 5


@pytest.mark.parametrize(
    "listed", [[{"x": 1}], [{"structural_signature": "single-worker-v1", "outcome": "fine"}], [7], 7, "text", [["a"]]]
)
def test_attempts_of_excluded_tasks_that_are_no_attempts_give_no_numbers(listed: Any, tmp_path: Path) -> None:
    made = sample()
    made.cohort["tasks"][0]["evidence"] = {"attempts": [], "exclusion_reason": "its grader was wrong", "status": "excluded"}
    made.cohort["extensions"] = {"tallystick": {"excluded_attempts": {made.task(0)["id"]: listed}}}
    with pytest.raises(InvalidEvidenceError, match="excluded_attempts is not as tally"):
        report_of(made, tmp_path)


@pytest.mark.parametrize("listed", [7, [], "text"])
def test_excluded_attempts_that_are_no_table_give_no_numbers(listed: Any, tmp_path: Path) -> None:
    made = sample()
    made.cohort["extensions"] = {"tallystick": {"excluded_attempts": listed}}
    with pytest.raises(InvalidEvidenceError, match="excluded_attempts is not as tally"):
        report_of(made, tmp_path)


def test_attempts_of_an_excluded_task_do_not_count_for_one_that_is_not(tmp_path: Path) -> None:
    made = sample()
    name = made.task(0)["evidence"]["attempts"][0]["structural_signature"]
    more = [{"structural_signature": name, "outcome": "support"}] * 10
    made.cohort["extensions"] = {"tallystick": {"excluded_attempts": {made.task(0)["id"]: more}}}
    with pytest.raises(InvalidEvidenceError, match="it is not excluded"):
        report_of(made, tmp_path)
