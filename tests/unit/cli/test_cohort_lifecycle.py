"""`tally cohort new` to `history`: a whole life by command line, with two keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tallystick.records.cohort.cohort import FEWEST_TASKS, MOST_TASKS
from tallystick.suites.cohorts.samples import COHORT_PATH, Sample, sample
from tests.support.cohort_lives import frozen
from tests.unit.cli.conftest import Tally

MADE = "made/cohort.json"


@pytest.fixture
def source(tmp_path: Path) -> Sample:
    """The documents of five tasks below the working directory, and two keys."""
    made = sample()
    for path, data in made.files().items():
        if path != COHORT_PATH:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_bytes(data)
    return made


@pytest.fixture(autouse=True)
def keys(tally: Tally) -> None:
    assert tally("key", "new").code == 0
    assert tally("key", "new", "reviewer").code == 0


def task(source: Sample, number: int) -> list[str]:
    one = source.task(number)
    return [
        *("--work-unit", one["work_unit"]["path"], "--plan", one["evaluator"]["plan_path"], "--family", one["family"]),
        *("--repository", "https://example.org/sample", "--difficulty", "small", "--split", "held_out"),
        *("--signature", "single-worker-v1", "--signature", "two-workers-v1", "--metric", "tokens"),
        *("--negative", "A change that breaks what worked.", "--negative-category", "regression"),
    ]


def made(tally: Tally, source: Sample, count: int = 5) -> None:
    said = tally("cohort", "new", "made", "--id", "sample/made", "--title", "Made", *task(source, 0))
    assert said.code == 0, said.err
    for number in range(1, count):
        said = tally("cohort", "add", MADE, *task(source, number))
        assert said.code == 0, said.err


def test_a_whole_life(tally: Tally, source: Sample) -> None:
    made(tally, source)
    assert tally("cohort", "validate", MADE).code == 0
    assert tally("cohort", "collect", MADE).code == 0
    said = tally("cohort", "review", MADE, "--statement", "read", "--out", "review.json", "--key", "reviewer")
    assert said.out.startswith("wrote review.json\n  definition  sha256:")
    said = tally("cohort", "check", MADE, "--review", "review.json")
    assert said.code == 0, said.out
    assert said.out.splitlines()[-1] == "ready to freeze"
    assert "no exposure of a solution is recorded" in said.out
    assert "note: this cohort names no suite: tally run, negatives and attach will refuse it" in " ".join(said.out.split())
    assert "  held out    yes, as far as recorded: " in tally("cohort", "history", MADE).out
    said = tally("cohort", "freeze", MADE, "--review", "review.json", "--json")
    facts = json.loads(said.out)
    assert (facts["act"], facts["stage"], facts["seq"]) == ("freeze", "frozen", 6)
    assert tally("cohort", "exclude", MADE, "--task", "sample/0001", "--reason", "cannot be built").code == 0
    assert tally("cohort", "burn", MADE, "--reason", "seen").code == 0
    said = tally("cohort", "validate", MADE, "--history", "--contains", facts["entry"])
    assert said.code == 0, said.err
    assert "  held out    no: outcomes were seen" in said.out
    assert "(your key)" in said.out
    assert "both keys are yours: this shows no second person" in said.out
    assert tally("cohort", "supersede", MADE, "--by", "next", "--id", "sample/next").code == 0
    assert tally("cohort", "validate", "next/cohort.json", "--history").code == 0


def test_a_cohort_that_names_no_suite_says_so(tally: Tally, source: Sample) -> None:
    said = tally("cohort", "new", "made", "--id", "sample/made", "--title", "Made", *task(source, 0))
    assert "this cohort names no suite" in " ".join(said.err.split())
    found = json.loads(tally("cohort", "check", MADE, "--json").out)
    assert [note[:26] for note in found["notes"]] == ["this cohort names no suite"]
    shown = " ".join(tally("cohort", "new", "--help").out.split())
    assert "from-suite makes" in shown
    assert f"{FEWEST_TASKS} to {MOST_TASKS}" in shown


@pytest.mark.parametrize("minimum", ["2", "1001", "0"])
def test_a_number_of_tasks_that_the_format_does_not_know(minimum: str, tally: Tally, source: Sample) -> None:
    line = ("--id", "sample/made", "--title", "Made", "--minimum", minimum)
    said = tally("cohort", "new", "made", *line, *task(source, 0))
    assert said.code == 2
    assert said.err == f"tally: --minimum {minimum}: the format demands from 5 to 1000 tasks; give such a number\n"
    assert not Path("made").exists()


def test_the_history_is_a_table_with_a_head(tally: Tally, tmp_path: Path) -> None:
    life = frozen(tmp_path)
    life.attach_negative()
    life.attach(1)
    head, *rows = tally("cohort", "history", COHORT_PATH).out.split("\n\n")[0].splitlines()
    assert head.split() == ["seq", "act", "stage", "definition", "entry", "key"]
    assert [row.split()[1] for row in rows] == ["new", "collect", "freeze", "negatives", "attach"]
    for row in rows:
        assert row.index(row.split()[4]) == head.index("entry")
    assert "another key; that it is another person's is not shown" in tally("cohort", "history", COHORT_PATH).out


def test_the_checklist_says_what_is_missing(tally: Tally, source: Sample) -> None:
    made(tally, source, 4)
    said = tally("cohort", "check", MADE, "--json")
    assert said.code == 1
    found = json.loads(said.out)
    assert found["ok"] is False
    failed = {line["code"] for line in found["lines"] if not line["passed"]}
    assert failed == {"families-covered", "enough-tasks", "validates", "reviewed", "collecting"}
    said = tally("cohort", "check", MADE)
    assert "not ready to freeze: 5 of 11 lines fail" in said.out


def test_exposure_blocks_the_freeze(tally: Tally, source: Sample) -> None:
    made(tally, source)
    assert tally("cohort", "collect", MADE).code == 0
    tally("cohort", "review", MADE, "--statement", "read", "--out", "review.json", "--key", "reviewer")
    assert tally("cohort", "expose", MADE, "--reason", "published", "--key", "reviewer").code == 0
    said = tally("cohort", "freeze", MADE, "--review", "review.json")
    assert said.code == 2
    assert said.err == "tally: not ready to freeze: no exposure of a solution is recorded: one is: published\n"


def test_the_author_does_not_review(tally: Tally, source: Sample) -> None:
    made(tally, source, 1)
    said = tally("cohort", "review", MADE, "--statement", "mine", "--out", "review.json")
    assert (said.code, said.err) == (2, "tally: a review is made with another key than the author's; name yours with --key\n")


@pytest.mark.parametrize(
    "words",
    [[], ["--plan", "p.json", "--hidden-commitment", "sha256:" + "0" * 64], ["--hidden-commitment", "sha256:" + "0" * 64]],
)
def test_an_evaluator_is_public_or_hidden(words: list[str], tally: Tally, source: Sample) -> None:
    line = task(source, 0)
    place = line.index("--plan")
    said = tally("cohort", "new", MADE, "--id", "sample/made", "--title", "Made", *line[:place], *line[place + 2 :], *words)
    assert said.code == 2
    assert "an evaluator is either --plan FILE, or --hidden-commitment DIGEST" in said.err


def test_a_hidden_evaluator_shows_its_commitment_only(tally: Tally, source: Sample) -> None:
    line = task(source, 0)
    place = line.index("--plan")
    hidden = ["--hidden-commitment", "sha256:" + "1" * 64, "--plan-id", "sample/hidden", "--backend", "own"]
    said = tally("cohort", "new", MADE, "--id", "sample/made", "--title", "Made", *line[:place], *line[place + 2 :], *hidden)
    assert said.code == 0, said.err
    evaluator = json.loads(Path(MADE).read_text())["tasks"][0]["evaluator"]
    assert evaluator == {
        "backend": "own",
        "plan_digest": "sha256:" + "1" * 64,
        "plan_id": "sample/hidden",
        "visibility": "hidden",
    }


def test_a_lie_is_named_with_its_code(tally: Tally, tmp_path: Path) -> None:
    life = frozen(tmp_path)
    life.lie(lambda value: value["tasks"][0].update(difficulty="large"), recorded=True)
    assert tally("cohort", "validate", COHORT_PATH).code == 0
    said = tally("cohort", "validate", COHORT_PATH, "--history")
    assert said.code == 2
    assert said.err.startswith("ERROR: the history does not hold\n")
    assert "  refrozen: the definition's digest is sha256:" in said.err
    found = json.loads(tally("cohort", "validate", COHORT_PATH, "--history", "--json").out)
    assert [finding["code"] for finding in found["history"]["findings"]] == ["cohort-changed", "refrozen", "refrozen"]
    said = tally("cohort", "history", COHORT_PATH)
    assert said.code == 2
    assert "the history does not hold: 3 findings" in said.out
    Path(COHORT_PATH).with_name("history.jsonl").unlink()
    said = tally("cohort", "history", COHORT_PATH)
    assert said.code == 2
    assert "\nno history\n" in said.out


def test_an_author_is_asked_for(tally: Tally, tmp_path: Path) -> None:
    life = frozen(tmp_path)
    kid = life.author.public.kid
    assert tally("cohort", "validate", COHORT_PATH, "--history", "--author", kid).code == 0
    said = tally("cohort", "validate", COHORT_PATH, "--history", "--author", "x" * 43)
    assert said.code == 2
    assert "history-author-unexpected" in said.err
    said = tally("cohort", "validate", COHORT_PATH, "--author", kid)
    assert said.err == "tally: --author and --contains mean nothing without --history\n"


def test_a_cohort_without_a_history(tally: Tally, tmp_path: Path) -> None:
    life = frozen(tmp_path)
    life.history_file.unlink()
    said = tally("cohort", "validate", COHORT_PATH, "--history")
    assert said.code == 2
    assert "history-missing" in said.err
    said = tally("cohort", "burn", COHORT_PATH, "--reason", "seen")
    assert said.code == 2
    assert "tally cohort new makes a cohort with a history, and from-suite one that tally can also run" in said.err


@pytest.mark.parametrize("path", ["../outside/cohort.json", "/elsewhere/cohort.json"])
def test_a_cohort_outside_the_root(path: str, tally: Tally) -> None:
    said = tally("cohort", "collect", path)
    assert said.code == 2
    assert "root" in said.err


@pytest.mark.parametrize("name", ["made/history.jsonl", "made/cohort.json", "work-unit", "plan_path"])
def test_neither_review_nor_report_is_written_over_the_cohort(tally: Tally, source: Sample, tmp_path: Path, name: str) -> None:
    made(tally, source)
    one = source.task(0)
    out = {"work-unit": one["work_unit"]["path"], "plan_path": one["evaluator"]["plan_path"]}.get(name, name)
    before = (tmp_path / out).read_bytes()
    for words in (("review", MADE, "--statement", "read", "--key", "reviewer", "--out"), ("report", MADE, "--html")):
        said = tally("cohort", *words, out)
        assert (said.code, said.err) == (2, f"tally: {out} is what is read; name another file to write\n")
        assert (tmp_path / out).read_bytes() == before
