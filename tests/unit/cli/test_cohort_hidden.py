"""`tally cohort commit|seal|reveal` by command line: a cohort with a hidden evaluator, from its first task to the reveal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tallystick.core import pyjson
from tallystick.suites.cohorts.samples import COHORT_PATH, sample
from tests.unit.cli.conftest import Tally

MADE = "made/cohort.json"
TASK = "sample/0000"


@pytest.fixture
def commitment(tally: Tally, tmp_path: Path) -> str:
    """The documents of five tasks, two keys, and a commitment to the plan of the first task, which nobody finds here."""
    made = sample()
    for path, data in made.files().items():
        if path != COHORT_PATH:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_bytes(data)
    assert tally("key", "new").code == 0
    assert tally("key", "new", "reviewer").code == 0
    plan = tmp_path / made.task()["evaluator"]["plan_path"]
    plan.write_bytes(pyjson.canonical({**made.plan(), "visibility": "hidden"}))
    said = tally("cohort", "commit", "--plan", str(plan), "--out", "opening.json", "--json")
    facts = json.loads(said.out)
    plan.unlink()
    assert facts["backend"] == "unified_diff"
    for number in range(5):
        task = made.task(number)
        shown = ["--plan", task["evaluator"]["plan_path"]]
        hidden = ["--hidden-commitment", facts["commitment"], "--plan-id", facts["plan_id"], "--backend", facts["backend"]]
        act = ["add", MADE] if number else ["new", "made", "--id", "sample/made", "--title", "Made"]
        words = [
            *act,
            *("--work-unit", task["work_unit"]["path"], "--family", task["family"], "--difficulty", "small"),
            *("--repository", "https://example.org/sample", "--split", "held_out", "--signature", "single-worker-v1"),
            *("--negative", "A change that breaks what worked.", "--negative-category", "regression"),
            *(shown if number else hidden),
        ]
        said = tally("cohort", *words)
        assert said.code == 0, said.err
    return str(facts["commitment"])


def freeze(tally: Tally) -> None:
    assert tally("cohort", "collect", MADE).code == 0
    words = ["cohort", "review", MADE, "--statement", "read", "--out", "review.json", "--key", "reviewer"]
    assert tally(*words).code == 0
    said = tally("cohort", "freeze", MADE, "--review", "review.json")
    assert said.code == 0, said.err


def test_hidden_until_it_is_revealed(tally: Tally, commitment: str) -> None:
    said = tally("cohort", "reveal", MADE, "--task", TASK, "--opening", "opening.json", "--dry-run")
    assert (said.code, said.out) == (0, "the opening is what the task commits to, and its plan fits\n")
    freeze(tally)
    said = tally("cohort", "seal", "--opening", "opening.json", "--out", "escrow", "--key-file", "escrow.key")
    assert said.out.splitlines()[:3] == [
        "wrote escrow",
        "wrote escrow.key: keep it apart, and secret",
        f"  commitment  {commitment}",
    ]
    said = tally("cohort", "burn", MADE, "--reason", "seen")
    assert "1 hidden evaluator to reveal before it validates again, the first of sample/0000" in said.err
    said = tally("cohort", "validate", MADE)
    assert said.code == 2
    assert said.err == (
        "ERROR: sample/0000: the cohort is burned, and its hidden evaluator was not revealed [hidden-not-revealed]\n"
    )
    said = tally("cohort", "reveal", MADE, "--task", TASK, "--escrow", "escrow", "--key-file", "escrow.key", "--json")
    assert json.loads(said.out)["act"] == "reveal"
    said = tally("cohort", "validate", MADE, "--history")
    assert said.code == 0, said.err


def test_what_is_revealed_instead_is_refused(tally: Tally, commitment: str, tmp_path: Path) -> None:
    freeze(tally)
    opening = json.loads((tmp_path / "opening.json").read_bytes())
    (tmp_path / "other.json").write_text(json.dumps({**opening, "plan": {**opening["plan"], "id": "kinder"}}))
    said = tally("cohort", "reveal", MADE, "--task", TASK, "--opening", "other.json")
    assert said.code == 2
    assert commitment in said.err
    said = tally("cohort", "reveal", MADE, "--task", TASK, "--opening", "other.json", "--dry-run", "--json")
    assert said.code == 2
    assert [one["code"] for one in json.loads(said.out)["findings"]] == ["reveal-mismatch"]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--opening", "opening.json", "--escrow", "escrow", "--key-file", "key"],
        ["--escrow", "escrow"],
        ["--key-file", "key"],
        ["--opening", "opening.json", "--key-file", "key"],
    ],
)
def test_one_way_to_open_it(words: list[str], tally: Tally) -> None:
    said = tally("cohort", "reveal", MADE, "--task", TASK, *words)
    assert said.code == 2
    assert said.err == "tally: give either --opening FILE, or --escrow FILE with --key-file FILE\n"
