"""`tally cohort`: what it prints where, and how it ends."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tallystick.core.digest import sha256
from tallystick.suites.cohorts.samples import Sample, Shape, sample
from tests.repo.project import ROOT
from tests.support.cohort_lives import frozen
from tests.support.cohorts import REAL, SUCCESSOR_FIVE, needed, write
from tests.unit.cli.conftest import Tally

COHORT = "cohort/cohort.json"
DIGEST = "sha256:9af20fd35c5e537a109a08735463cbbd2fe4a3e3117200de98427d63eb330d71"
FACTS = f"""\
{{
  "automatic_candidate_selection": false,
  "cohort_id": "sample/cohort",
  "definition_digest": "{DIGEST}",
  "excluded_tasks": 0,
  "pending_tasks": 0,
  "stage": "frozen",
  "task_count": 5,
  "verified_tasks": 5
}}
"""


def lying() -> Sample:
    """One thing wrong for the original, one more for strict reading."""
    made = sample()
    made.result()["verifier"]["id"] = "sample-worker"
    made.refit()
    made.attempt(1)["outcome"] = "reject"
    return made


def test_a_valid_cohort_for_a_person(tally: Tally, tmp_path: Path) -> None:
    write(sample(), tmp_path)
    said = tally("cohort", "validate", COHORT, "--require-evidence")
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        "valid: sample/cohort",
        "  stage       frozen",
        "  tasks       5: 5 verified, 0 pending, 0 excluded",
        f"  definition  {DIGEST}",
        "",
        "Outcomes are attached: for tuning, this cohort is no longer held-out evidence.",
    ]


@pytest.mark.parametrize("options", [("--compat",), ("--json",), ("--compat", "--json")])
def test_the_facts_as_the_original_prints_them(tally: Tally, tmp_path: Path, options: tuple[str, ...]) -> None:
    write(sample(), tmp_path)
    said = tally("cohort", "validate", "--cohort", COHORT, *options)
    assert (said.code, said.out, said.err) == (0, FACTS, "")


def test_findings_with_the_first_as_the_original_says_it(tally: Tally, tmp_path: Path) -> None:
    write(lying(), tmp_path)
    said = tally("cohort", "validate", COHORT, "--compat")
    assert (said.code, said.out) == (2, "")
    assert said.err == "ERROR: sample/0001: indexed attempt outcome drift\n"
    said = tally("cohort", "validate", COHORT)
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines() == [
        "ERROR: sample/0001: indexed attempt outcome drift [outcome-drift]",
        "  verifier-is-worker: sample/0000: attempt-1: the verifier 'sample-worker' is the worker",
    ]


def test_a_changed_file_is_named_with_both_digests_and_what_to_do(tally: Tally, tmp_path: Path) -> None:
    made = sample()
    write(made, tmp_path)
    unit = made.task(1)["work_unit"]
    path = tmp_path / unit["path"]
    value = json.loads(path.read_text())
    value["extensions"] = {"note": "another"}
    path.write_text(json.dumps(value))
    said = tally("cohort", "validate", COHORT)
    assert said.code == 2
    lines = said.err.splitlines()
    assert lines[0] == "ERROR: sample/0001 WorkUnit: canonical digest drift [digest-drift]"
    assert lines[1].startswith(f"    {unit['path']}: expected {unit['digest']}, found sha256:")
    assert "Put it back as it was, from Git for instance" in " ".join(lines)
    found = json.loads(tally("cohort", "validate", COHORT, "--json").out)["findings"]
    assert [finding.get("detail") for finding in found] == [lines[1].strip()]
    said = tally("cohort", "validate", COHORT, "--compat")
    assert said.err == "ERROR: sample/0001 WorkUnit: canonical digest drift\n"


def test_another_definition_than_recorded_is_named_with_both_digests(tally: Tally, tmp_path: Path) -> None:
    made = sample()
    made.cohort["title"] = "Another title"
    write(made, tmp_path)
    said = tally("cohort", "validate", COHORT)
    assert said.code == 2
    assert f"    {COHORT}: expected {DIGEST}, found sha256:" in said.err
    assert "tally cohort supersede" in " ".join(said.err.split())


def test_a_wrong_working_directory_is_told_once(tally: Tally, tmp_path: Path) -> None:
    made = sample()
    write(made, tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "cohort.json").write_bytes((tmp_path / COHORT).read_bytes())
    said = tally("cohort", "validate", "cohort.json", "--root", "elsewhere")
    assert said.code == 2
    assert said.err.count("--root") == 2
    assert "No WorkUnit of the cohort is there." in said.err
    compat = tally("cohort", "validate", "cohort.json", "--root", "elsewhere", "--compat")
    assert "--root" not in compat.err
    (tmp_path / made.task(1)["work_unit"]["path"]).unlink()
    assert "--root" not in tally("cohort", "validate", COHORT).err


def test_a_report_without_a_history_is_loud_and_does_not_end_well(tally: Tally, tmp_path: Path) -> None:
    life = frozen(tmp_path)
    life.attach()
    assert tally("cohort", "report", COHORT).code == 0
    life.history_file.unlink()
    said = tally("cohort", "report", COHORT)
    assert said.code == 2
    assert said.err.startswith(f"WARNING: {COHORT}: there is no history beside it: nothing shows that outcomes came")
    assert "single-worker-v1" in said.out
    said = tally("cohort", "report", COHORT, "--compat")
    assert (said.code, said.err) == (0, "")
    assert "there is no history beside it" in said.out


def test_findings_as_json(tally: Tally, tmp_path: Path) -> None:
    write(lying(), tmp_path)
    said = tally("cohort", "validate", COHORT, "--json")
    assert said.code == 2
    document = json.loads(said.out)
    assert document["findings"][0] == {
        "code": "outcome-drift",
        "step": 10,
        "task": "sample/0001",
        "message": "sample/0001: indexed attempt outcome drift",
    }
    assert [each["code"] for each in document["findings"]] == ["outcome-drift", "verifier-is-worker"]
    assert (document["cohort_id"], document["left_out"]) == ("sample/cohort", 0)


def test_pending_evidence_is_refused_where_it_is_required(tally: Tally, tmp_path: Path) -> None:
    write(sample(Shape(attempts=0)), tmp_path)
    assert tally("cohort", "validate", COHORT).code == 0
    said = tally("cohort", "validate", COHORT, "--require-evidence", "--compat")
    assert (said.code, said.err.splitlines()[0]) == (2, "ERROR: sample/0000: evidence is still pending")


def test_paths_are_below_the_root(tally: Tally, tmp_path: Path) -> None:
    place = write(sample(), tmp_path / "root")
    assert tally("cohort", "validate", COHORT, "--root", "root").code == 0
    assert tally("cohort", "validate", str(place), "--root", str(tmp_path / "root")).code == 0
    for path in (str(place), "../cohort.json"):
        said = tally("cohort", "validate", "--cohort", path, "--root", "root", "--compat")
        assert (said.code, said.err) == (2, f"ERROR: BenchmarkCohort: unsafe path '{path}'\n")
    assert tally("cohort", "validate", COHORT, "--root", "nowhere").code == 2


def test_a_path_is_said_as_it_was_given(tally: Tally, tmp_path: Path) -> None:
    write(sample(), tmp_path)
    (tmp_path / "cohort.json").write_text("{}")
    for option in ((), ("--compat",)):
        said = tally("cohort", "validate", "--cohort", "", *option)
        assert (said.code, said.err.split(" [")[0].strip()) == (2, "ERROR: BenchmarkCohort: unsafe path ''")
        assert tally("cohort", "definition-digest", "--cohort", "", *option).code == 2
    said = tally("cohort", "validate", "--cohort", "./no//cohort.json", "--compat")
    assert said.err == "ERROR: BenchmarkCohort: referenced file does not exist: ./no//cohort.json\n"
    assert tally("cohort", "validate", f"./{COHORT}".replace("/", "//")).code == 0


def test_the_original_takes_no_folder_and_the_answer_names_the_file(tally: Tally, tmp_path: Path) -> None:
    write(sample(), tmp_path)
    (tmp_path / "folder").mkdir()
    said = tally("cohort", "validate", "folder", "--compat")
    assert (said.code, said.out) == (2, "")
    assert said.err == "tally: folder is a folder; with --compat name the file, such as folder/cohort.json\n"


def test_a_variable_that_is_not_set_names_no_cohort(tally: Tally, tmp_path: Path) -> None:
    write(sample(), tmp_path)
    said = tally("cohort", "history", "")
    assert (said.code, said.err.partition(";")[0]) == (2, "tally: the name of the cohort is empty")


@pytest.mark.parametrize(("title", "shown"), [("Plain, mit Umlaut ü", True), ("Look \u202eexe.gnp", False), ("\x9b2J", False)])
def test_canonical_bytes_reach_a_terminal_only_if_it_shows_them(
    tally: Tally, tmp_path: Path, title: str, *, shown: bool
) -> None:
    made = sample()
    made.cohort["title"] = title
    made.refit()
    write(made, tmp_path)
    code, out, err = on_a_terminal(tmp_path, "cohort", "definition-json", COHORT, "--canonical")
    if shown:
        assert (code, sha256(out)) == (0, made.cohort["definition_digest"])
    else:
        assert (code, out) == (2, b"")
        assert err.startswith("tally: these bytes hold characters that a terminal obeys or hides")
    piped = tally("cohort", "definition-json", COHORT, "--canonical").out
    assert sha256(piped.encode()) == made.cohort["definition_digest"]


def on_a_terminal(folder: Path, *args: str) -> tuple[int, bytes, str]:
    """What a command writes to a terminal as its standard output; (exit code, output, what it says on standard error)."""
    ours, theirs = os.openpty()
    line = [sys.executable, "-c", "from tallystick.cli.main import main; main()", *args]
    env = {"HOME": str(folder), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "src"), "LANG": "C.UTF-8"}
    with subprocess.Popen(line, cwd=folder, env=env, stdout=theirs, stderr=subprocess.PIPE, text=True) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal says that nobody writes to it any more
            while piece := os.read(ours, 1 << 16):
                shown += piece
        os.close(ours)
        assert process.stderr is not None
        said = process.stderr.read()
    return process.returncode, shown, said


def test_exactly_one_cohort_is_named(tally: Tally) -> None:
    for arguments in ((), ("a", "--cohort", "b")):
        said = tally("cohort", "validate", *arguments)
        assert (said.code, said.err) == (2, "tally: name one cohort file, as the argument or with --cohort\n")


def test_the_definition_and_its_digest(tally: Tally, tmp_path: Path) -> None:
    write(sample(), tmp_path)
    assert tally("cohort", "definition-digest", COHORT).out == f"{DIGEST}\n"
    canonical = tally("cohort", "definition-json", COHORT, "--canonical").out
    assert sha256(canonical.encode()) == DIGEST
    pretty = tally("cohort", "definition-json", "--cohort", COHORT).out
    assert json.loads(pretty) == json.loads(canonical)
    assert pretty.startswith('{\n  "authority": {\n')
    assert pretty.endswith("\n}\n")


def test_a_recorded_digest_that_is_another_is_said(tally: Tally, tmp_path: Path) -> None:
    made = sample()
    made.cohort["title"] = "Another"
    write(made, tmp_path)
    for options, code in (((), 2), (("--compat",), 0)):
        said = tally("cohort", "definition-digest", COHORT, *options)
        assert said.code == code
        assert said.out.startswith("sha256:")
        assert said.err == f"WARNING: the cohort records another definition digest: {DIGEST}\n"


def test_a_definition_needs_a_cohort(tally: Tally, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text('{"id": "x", "id": "y"}')
    for command in ("definition-digest", "definition-json"):
        said = tally("cohort", command, "c.json")
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith("ERROR: BenchmarkCohort failed schema validation: ")


def test_hostile_text_stays_on_its_line(tally: Tally, tmp_path: Path) -> None:
    made = sample()
    made.task()["evaluator"]["plan_path"] = "a\x1b[2J\nERROR: fine"
    write(made, tmp_path)
    said = tally("cohort", "validate", COHORT, "--compat")
    assert said.code == 2
    assert "\x1b" not in said.err
    assert all(line.startswith(("ERROR: BenchmarkCohort", "ERROR: sample/", "  ")) for line in said.err.splitlines())


def test_the_self_test(tally: Tally) -> None:
    said = tally("cohort", "self-test")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("OK: ")


@needed
def test_a_real_cohort(tally: Tally) -> None:
    said = tally("cohort", "validate", "--cohort", SUCCESSOR_FIVE, "--root", str(REAL), "--compat", "--require-evidence")
    assert (said.code, said.err) == (0, "")
    assert json.loads(said.out)["verified_tasks"] == 5


def test_a_folder_stands_for_the_cohort_in_it(tally: Tally, tmp_path: Path) -> None:
    write(sample(), tmp_path)
    for verb in ("validate", "definition-digest", "definition-json"):
        assert tally("cohort", verb, "cohort").out == tally("cohort", verb, COHORT).out != ""
    assert tally("cohort", "validate", "--compat", "cohort").code == 2


@pytest.mark.parametrize("words", [("report",), ("check",), ("history",), ("expose", "--reason", "known")])
def test_a_cohort_that_is_no_json_is_named(words: tuple[str, ...], tally: Tally, tmp_path: Path) -> None:
    made = frozen(tmp_path)
    tally("key", "new")
    made.cohort_file.write_text("[" * 200)
    said = tally("cohort", *words, "cohort")
    assert said.code == 2
    assert "cohort/cohort.json is no cohort: " in said.out + said.err


def test_a_report_without_a_history_names_what_is_no_json(tally: Tally, tmp_path: Path) -> None:
    (tmp_path / COHORT).parent.mkdir()
    (tmp_path / COHORT).write_text("[" * 200)
    said = tally("cohort", "report", "cohort")
    assert (said.code, "cohort/cohort.json" in said.err) == (1, True)
