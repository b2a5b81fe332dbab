"""From a suite to a frozen cohort, real runs in the sandbox, and back to evidence: the whole way, and each shut door."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from subprocess import CompletedProcess, run
from typing import Any, Final

import pytest

from tallystick.core import pyjson
from tallystick.trust.attested import attestation_problem
from tests.acceptance.support import environment, needs_bwrap, tally
from tests.support.cohort_suites import write_small
from tests.vectors import DATA

pytestmark = [needs_bwrap, pytest.mark.xdist_group("cohorts")]

SCHEMAS: Final = DATA / "idkmesh" / "schemas"
COHORT: Final = "co/first"
HIDDEN: Final = "Task_6"
LAX: Final = """---
title: Write something
category: file_io
owned_files: [a.txt]
max_duration_s: 60
max_cost_usd: 1
assertions:
  - {kind: file_exists, id: exists, path: a.txt}
cheats:
  any: {fails: [exists]}
---
Write something into `a.txt`.
"""
"""A task that its cheat passes, whatever it says."""
FLAGS: Final = {"automatic_candidate_selection", "canonical_state_write", "git_push", "merge"}


@dataclass(frozen=True)
class Place:
    """A folder with keys, a suite and a cohort."""

    folder: Path
    env: dict[str, str]

    def tally(self, *args: str, code: int = 0) -> CompletedProcess[str]:
        done = tally(args, cwd=self.folder, env=self.env)
        assert "Traceback" not in done.stderr
        assert done.returncode == code, (args, done.stdout, done.stderr)
        return done

    def json(self, path: str) -> Any:
        return pyjson.read((self.folder / path).read_bytes(), strict=True)

    @property
    def cohort(self) -> Any:
        return self.json(f"{COHORT}/cohort.json")

    def copy(self, folder: Path) -> Place:
        shutil.copytree(self.folder, folder, symlinks=True)
        return Place(folder, self.env)


def frozen(folder: Path) -> Place:
    place = Place(folder, environment(folder / "home"))
    write_small(folder / "suite")
    for name in ("author", "reviewer", "worker", "verifier"):
        place.tally("key", "new", name)
    line = (
        "cohort",
        "from-suite",
        "suite",
        "--out",
        COHORT,
        "--hide",
        HIDDEN,
        "--signature",
        "one-v1",
        "--signature",
        "two-v1",
    )
    place.tally(*line, "--key", "author")
    place.tally("cohort", "collect", COHORT, "--key", "author")
    place.tally("cohort", "review", COHORT, "--out", "review.json", "--statement", "read", "--key", "reviewer")
    place.tally("cohort", "freeze", COHORT, "--review", "review.json", "--key", "author")
    return place


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Frozen, with bundles of two agents, no evidence yet."""
    place = frozen(tmp_path_factory.mktemp("cohort") / "before")
    (place.folder / "script.sh").write_text(
        'printf "print(%s)\\n" "$(cat in.txt)" > out.txt\n[ "$(cat in.txt)" != 2 ] || rm out.txt\n'
    )
    for name, agent in (("oracle", "oracle"), ("scripted", "scripted:script.sh")):
        place.tally("run", f"cohort:{COHORT}", "--agent", agent, "-k", "2", "-q", "--key", "worker", "--out", f"{name}.json")
    return place


@pytest.fixture(scope="module")
def after(before: Place, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """With negatives and the attempts of both agents attached."""
    place = before.copy(tmp_path_factory.mktemp("cohort") / "after")
    place.tally("cohort", "negatives", COHORT, "--key", "verifier")
    for name, signature in (("oracle", "one-v1"), ("scripted", "two-v1")):
        attached = ("--bundle", f"{name}.json", "--signature", signature, "--key", "verifier")
        place.tally("cohort", "attach", COHORT, *attached)
    return place


def test_every_document_passes_its_schema(after: Place) -> None:
    jsonschema = pytest.importorskip("jsonschema")

    def passes(schema: str, value: Any) -> None:
        found = json.loads((SCHEMAS / schema).read_text())
        jsonschema.Draft202012Validator(found, format_checker=jsonschema.FormatChecker()).validate(value)

    passes("benchmark-cohort-v0.1.schema.json", after.cohort)
    for task in after.cohort["tasks"]:
        passes("work-unit-v0.2.schema.json", after.json(task["work_unit"]["path"]))
        passes("verification-result-v0.1.schema.json", after.json(task["negative_case"]["evidence_path"]))
        assert len(task["evidence"]["attempts"]) == 4
        for attempt in task["evidence"]["attempts"]:
            passes("result-manifest-v0.1.schema.json", after.json(attempt["result_manifest"]["path"]))
            passes("verification-result-v0.1.schema.json", after.json(attempt["verification_result"]["path"]))


def test_evidence_is_complete_and_its_history_proves_the_order(after: Place) -> None:
    done = after.tally("cohort", "validate", f"{COHORT}/cohort.json", "--require-evidence")
    assert "6 verified, 0 pending, 0 excluded" in done.stdout
    done = after.tally("cohort", "history", COHORT)
    assert [word for word in ("new", "collect", "freeze", "attach") if word in done.stdout] == [
        "new",
        "collect",
        "freeze",
        "attach",
    ]


def test_outcomes_are_those_of_the_agents(after: Place) -> None:
    outcomes = {
        (task["id"][-6:], attempt["structural_signature"]): attempt["outcome"]
        for task in after.cohort["tasks"]
        for attempt in task["evidence"]["attempts"]
    }
    assert outcomes[("task-2", "two-v1")] == "reject"
    assert [said for said in outcomes.values() if said != "support"] == ["reject"]


def test_results_are_bound_to_plans_and_signed_by_another_key_than_the_worker(after: Place) -> None:
    for task in after.cohort["tasks"]:
        for attempt in task["evidence"]["attempts"]:
            manifest, result = (after.json(attempt[name]["path"]) for name in ("result_manifest", "verification_result"))
            assert pyjson.digest(manifest) == attempt["result_manifest"]["digest"]
            assert result["provenance"]["verifier_config_digest"] == task["evaluator"]["plan_digest"]
            assert result["independence"]["independent_from_worker"] is True
            assert result["verifier"]["id"] != manifest["worker"]["id"] == result["independence"]["worker_id_observed"]
            assert attestation_problem(result) is None
            assert result["decision_support"]["confidence"] == 1.0


def test_a_candidate_is_a_patch_of_the_commit_that_was_frozen(after: Place, tmp_path: Path) -> None:
    task = after.cohort["tasks"][0]
    clone = tmp_path / "clone"
    source = after.folder / COHORT / "source.git"

    def git(*words: str) -> str:
        line = ["git", "-c", "safe.directory=*", "-c", "advice.detachedHead=false", *words]
        return run(line, env=after.env, capture_output=True, text=True, check=True).stdout

    git("clone", "-q", str(source), str(clone))
    git("-C", str(clone), "checkout", "-q", task["source"]["revision"])
    manifest = task["evidence"]["attempts"][0]["result_manifest"]["path"]
    git("-C", str(clone), "apply", str((after.folder / manifest).parent / "candidate.patch"))
    assert (clone / "out.txt").read_text() == "print(1)\n"


def test_negatives_were_run_and_are_bound_to_their_task(after: Place) -> None:
    for task in after.cohort["tasks"]:
        case = task["negative_case"]
        result = after.json(case["evidence_path"])
        assert case["evidence_status"] == "verified"
        assert result["decision_support"]["recommendation"] == "reject_candidate"
        assert case["expected_category"] in {finding["category"] for finding in result["findings"]}
        assert result["work_unit_id"] == task["work_unit"]["id"]
        assert result["independence"]["independent_from_worker"] is False  # whoever runs a negative also judges it
        manifest = after.json(str(Path(case["evidence_path"]).with_name("result-manifest.json")))
        assert pyjson.digest(manifest) == result["provenance"]["result_manifest_digest"]


def test_what_is_hidden_is_in_no_public_file(after: Place) -> None:
    """Neither the hidden task's hash, nor a name of its assertions beside those of the others, nor its answer."""
    suite = json.loads((after.folder / f"{COHORT}.private/suite/suite.json").read_text())
    hidden = next(task for task in suite["tasks"] if task["id"] == HIDDEN)
    public = {path: path.read_bytes() for path in (after.folder / COHORT).rglob("*") if path.is_file()}
    told = [str(path) for path, data in public.items() if hidden["task_hash"].encode() in data]
    assert told == []
    task = after.cohort["tasks"][5]
    assert task["evaluator"]["visibility"] == "hidden"
    for attempt in task["evidence"]["attempts"]:
        result = after.json(attempt["verification_result"]["path"])
        assert [check["id"] for check in result["checks"]] == ["result-manifest-schema", "task-grade"]
        folder = (after.folder / attempt["result_manifest"]["path"]).parent
        assert not (folder / "grade.json").exists()
    assert (after.folder / f"{COHORT}.private").stat().st_mode & 0o077 == 0


def test_a_report_says_what_came_of_it_and_ranks_nothing(after: Place) -> None:
    text = after.tally("cohort", "report", COHORT).stdout
    assert "one-v1" in text
    assert "12/12" in text
    assert "10/12" in text
    assert "each strategy spends 2 attempts at each task" in text
    for form in (text, after.tally("cohort", "report", COHORT, "--markdown").stdout):
        assert "No order follows" in form
        assert not any(word in form for word in ("worth more", "difference", "best", "winner", "rank ", "p ="))
    tree = json.loads(after.tally("cohort", "report", COHORT, "--json").stdout)
    assert "compared" not in tree
    assert [row["signature"] for row in tree["signatures"]] == ["one-v1", "two-v1"]
    compared = json.loads(after.tally("cohort", "report", COHORT, "--json", "--compare").stdout)
    assert compared["compared"]["standing"] == "no difference shown"


def test_a_page_needs_nothing_else(after: Place, tmp_path: Path) -> None:
    after.tally("cohort", "report", COHORT, "--html", str(tmp_path / "r.html"), "--compare")
    page = unescape((tmp_path / "r.html").read_text())
    assert page.count("<svg") >= 6
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert "http://" not in page.replace("http-equiv", "")


def test_an_exclusion_after_outcomes_stays_in_the_denominator(after: Place, tmp_path: Path) -> None:
    place = after.copy(tmp_path / "excluded")
    task = place.cohort["tasks"][0]["id"]
    place.tally("cohort", "exclude", COHORT, "--task", task, "--reason", "did not like it", "--key", "author")
    tree = json.loads(place.tally("cohort", "report", COHORT, "--json").stdout)
    assert tree["excluded_after_outcomes"] == [task]
    assert [(row["attempts"], row["supported"]) for row in tree["signatures"]] == [(12, 10), (12, 8)]
    text = place.tally("cohort", "report", COHORT).stdout
    assert "1 task excluded after outcomes were seen: 4 attempts" in text
    assert "did not like it" in text
    done = place.tally("run", f"cohort:{COHORT}", "--agent", "oracle", "--dry-run")
    assert "5 of 6 tasks" in done.stdout or "5 tasks" in done.stdout


def test_authority_is_nobodys(after: Place) -> None:
    """The four flags are false in the index and in every document, and no command wrote outside the cohort's folders."""
    evidence = [path.relative_to(after.folder) for path in (after.folder / COHORT / "evidence").rglob("*-*.json")]
    found = [after.cohort["authority"], *(after.json(str(path))["extensions"]["org.idkmesh.authority"] for path in evidence)]
    assert len(found) == 1 + 2 * (6 * 4 + 6)
    assert all(set(flags) == FLAGS and not any(flags.values()) for flags in found)
    words = {"push", "merge", "select", "winner", "rank", "promote"}
    listed = after.tally("cohort", "--help").stdout.split()
    assert not words & set(listed)


def test_sources_stay_as_they_were(before: Place, after: Place) -> None:
    """Attaching evidence pushes nothing into the repository that tasks come from."""

    def content(place: Place) -> dict[str, bytes]:
        top = place.folder / COHORT / "source.git"
        return {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}

    assert content(before) == content(after)


Lie = Callable[[Place], None]


def edit(place: Place, path: str, change: Callable[[Any], None]) -> None:
    value = place.json(path)
    change(value)
    (place.folder / path).write_text(pyjson.pretty(value))


def _difficulty(place: Place) -> None:
    edit(place, f"{COHORT}/cohort.json", lambda value: value["tasks"][0].update(difficulty="large"))


def _plan(place: Place) -> None:
    path = place.cohort["tasks"][0]["evaluator"]["plan_path"]
    edit(place, path, lambda value: value["backend"].update(sandbox_policy="v2"))


def _suite(place: Place) -> None:
    shutil.rmtree(place.folder / f"{COHORT}.private")


def _other_suite(place: Place) -> None:
    shutil.rmtree(place.folder / f"{COHORT}.private" / "suite")
    shutil.copytree(place.folder / COHORT / "suite", place.folder / f"{COHORT}.private" / "suite")


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        (_difficulty, "not what its history tells"),
        (_plan, "EvaluatorPlan digest drift"),
        (_suite, "lacks 1 tasks of the cohort"),
        (_other_suite, "lacks 1 tasks of the cohort"),
    ],
)
def test_no_other_cohort_is_run(before: Place, tmp_path: Path, lie: Lie, says: str) -> None:
    place = before.copy(tmp_path / "lie")
    lie(place)
    done = place.tally("run", f"cohort:{COHORT}", "--agent", "oracle", code=2)
    assert says in done.stderr


@pytest.mark.parametrize("name", ["cohort.json", "history.jsonl"])
def test_a_run_is_not_written_over_its_cohort(before: Place, name: str) -> None:
    out = f"{COHORT}/{name}"
    kept = (before.folder / out).read_bytes()
    done = before.tally("run", f"cohort:{COHORT}", "--agent", "oracle", "--out", out, code=2)
    assert done.stderr == f"tally: {out} is what is read; name another file to write\n"
    assert (before.folder / out).read_bytes() == kept


def test_a_cohort_that_is_not_frozen_is_not_run(tmp_path: Path) -> None:
    place = Place(tmp_path, environment(tmp_path / "home"))
    write_small(tmp_path / "suite")
    place.tally("key", "new")
    place.tally("cohort", "from-suite", "suite", "--out", COHORT)
    assert (
        "scaffold; tally runs a frozen one only" in place.tally("run", f"cohort:{COHORT}", "--agent", "oracle", code=2).stderr
    )
    done = place.tally("cohort", "negatives", COHORT, code=2)
    assert "negatives are run of a frozen one only" in done.stderr


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("--bundle", "oracle.json", "--signature", "one-v1", "--key", "worker"), 2, "so not independently"),
        (("--bundle", "oracle.json", "--key", "verifier"), 2, "say with --signature"),
        (("--bundle", "oracle.json", "--signature", "best-v1", "--key", "verifier"), 2, "was not predeclared"),
        (("--bundle", "unsigned.json", "--signature", "one-v1", "--key", "verifier"), 2, "it is unsigned"),
        (("--bundle", "edited.json", "--signature", "one-v1", "--key", "verifier"), 1, "see: tally verify"),
        (("--bundle", "golden.json", "--signature", "one-v1", "--key", "verifier"), 2, "about another suite"),
        (("--bundle", "no.json", "--signature", "one-v1", "--key", "verifier"), 2, "does not exist"),
    ],
)
def test_a_bundle_that_is_not_attached(before: Place, args: tuple[str, ...], code: int, says: str) -> None:
    folder = before.folder
    if not (folder / "unsigned.json").exists():
        before.tally("run", f"cohort:{COHORT}", "--agent", "nop", "-q", "--no-sign", "--out", "unsigned.json")
        bundle = json.loads((folder / "oracle.json").read_text())
        bundle["pass_rate"] = 0
        (folder / "edited.json").write_text(json.dumps(bundle, separators=(",", ":"), sort_keys=True, ensure_ascii=False))
        before.tally("run", "golden-v1", "--agent", "mock", "-q", "--key", "worker", "--out", "golden.json")
    was = (folder / COHORT / "cohort.json").read_bytes(), (folder / COHORT / "history.jsonl").read_bytes()
    done = before.tally("cohort", "attach", COHORT, *args, code=code)
    assert says in done.stderr
    assert was == ((folder / COHORT / "cohort.json").read_bytes(), (folder / COHORT / "history.jsonl").read_bytes())


def test_one_attempt_counts_once(after: Place) -> None:
    line = ("--bundle", "oracle.json", "--signature", "two-v1", "--key", "verifier")
    assert "attached already" in after.tally("cohort", "attach", COHORT, *line, code=2).stderr
    assert "was run already" in after.tally("cohort", "negatives", COHORT, "--key", "verifier", code=2).stderr


def test_another_name_makes_no_other_attempt(before: Place, tmp_path: Path) -> None:
    """The same agent under another name is neither attached again nor under another structure."""
    place = before.copy(tmp_path / "named")
    agent = ("--", "sh", "-c", 'echo "print($(cat in.txt))" > out.txt')
    for name, task in {"one": "Task_1", "other": "Task_1", "more": "Task_2"}.items():
        line = ("run", f"cohort:{COHORT}", "-q", "--fresh", "--task", task, "--name", name, "--agent-version", name)
        place.tally(*line, "--key", "worker", "--out", f"{name}.json", *agent)

    def attach(name: str, signature: str, code: int = 2) -> str:
        line = ("--bundle", f"{name}.json", "--signature", signature, "--key", "verifier")
        return place.tally("cohort", "attach", COHORT, *line, code=code).stderr

    attach("one", "one-v1", 0)
    was = place.cohort
    for signature in ("one-v1", "two-v1"):
        assert "attempt 1 of this agent is attached already" in attach("other", signature)
    assert "is attached as one-v1 already, under whatever name, and not as two-v1" in attach("more", "two-v1")
    assert place.cohort == was
    attach("more", "one-v1", 0)


def test_a_cheat_that_passes_stops_everything(tmp_path: Path) -> None:
    """The evaluator of a task accepts anything: the negative finds it, and nothing is attached."""
    place = Place(tmp_path, environment(tmp_path / "home"))
    for name in ("author", "reviewer"):
        place.tally("key", "new", name)
    tasks = tmp_path / "suite" / "smoke"
    for number in range(1, 6):
        task = tasks / f"lax_{number}"
        for part, text in (("workspace", "1\n"), ("solution", "2\n"), ("cheats/any", "3\n")):
            (task / part).mkdir(parents=True)
            (task / part / "a.txt").write_text(text)
        (task / "task.md").write_text(LAX)
    (tmp_path / "suite" / "suite.yaml").write_text("version: lax-v1\n")
    place.tally("cohort", "from-suite", "suite", "--out", COHORT, "--key", "author")
    place.tally("cohort", "collect", COHORT, "--key", "author")
    place.tally("cohort", "review", COHORT, "--out", "review.json", "--statement", "read", "--key", "reviewer")
    place.tally("cohort", "freeze", COHORT, "--review", "review.json", "--key", "author")
    done = place.tally("cohort", "negatives", COHORT, "--key", "reviewer", code=1)
    assert "came out as support, not rejected" in done.stderr
    assert not (tmp_path / COHORT / "evidence").exists()
