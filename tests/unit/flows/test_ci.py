"""The gate of a CI server: conclusion, exit code and files say one thing, and what cannot be judged never passes."""

import json
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from tallystick.cli.front import build
from tallystick.cli.main import run as tally
from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.flows.ci import ALIKE, EXIT_CODES, Check, CiRequest, Outputs, Verdict, check_bundle
from tallystick.flows.ci.outputs import verdict_tree
from tallystick.flows.ci.sarif import RESULTS, sarif
from tallystick.flows.verified import Terms
from tallystick.flows.writing import WriteError
from tallystick.trust.policy import SignerPolicy
from tests.repo.project import ROOT
from tests.support.many import bundle, reader, run_of, write
from tests.support.synthetic import ORACLE, Sealed, edited, rehashed, resigned, seal, signer

TASKS = 12
GOOD = ["11"] * 12
WORSE = ["10", *["11"] * 11]
FLAT = ["00"] * 3 + ["11"] * 9


def judged(folder: Path, new: Sealed, old: Sealed | None = None, drop: str = "0.05", **more: Any) -> Verdict:
    paths = write(folder, {"new": new} if old is None else {"new": new, "old": old})
    outputs = more.pop("outputs", Outputs())
    terms = Terms(suite=more.pop("suite", reader(TASKS)), **more)
    return check_bundle(CiRequest(paths[0], paths[1] if old else None, Fraction(drop), terms, outputs))


def agrees(verdict: Verdict) -> bool:
    return verdict.headline.startswith(f"{verdict.conclusion}: ")


# --- conclusions ---


@pytest.mark.parametrize(
    ("new", "drop", "conclusion"),
    [
        (GOOD, "0", "success"),
        (WORSE, "0.05", "success"),  # 1/24 = 4.17 points
        (WORSE, "0.041666", "failure"),
        (WORSE, "0", "failure"),
        (FLAT, "0.25", "success"),  # a drop of exactly what is allowed is allowed
        (FLAT, "0.249999", "failure"),
    ],
)
def test_only_a_drop_beyond_the_limit_fails(new: list[str], drop: str, conclusion: str, tmp_path: Path) -> None:
    found = judged(tmp_path, bundle(new), bundle(GOOD, "old"), drop)
    assert (found.conclusion, agrees(found)) == (conclusion, True)
    assert found.compared is not None
    assert found.compared.paired.low <= found.compared.paired.difference <= found.compared.paired.high


def test_conditions_that_were_not_held_against_each_other_are_not_called_the_same(tmp_path: Path) -> None:
    oracle = seal(replace(run_of(GOOD), agent=ORACLE))
    for old, says in (
        (oracle, "suite, attempts and sandbox are the same; not held against a self-test: network: none in A, gateway in B"),
        (bundle(GOOD, network="gateway"), "suite, attempts and conditions are the same"),
    ):
        found = judged(tmp_path, bundle(GOOD, network="gateway"), old, "0")
        assert [check.says for check in found.checks if check.name == ALIKE] == [says]


def test_a_better_bundle_passes(tmp_path: Path) -> None:
    found = judged(tmp_path, bundle(GOOD), bundle(FLAT), "0")
    assert found.conclusion == "success"
    assert "changed by +25 points" in found.headline


def test_without_a_baseline_it_verifies_and_says_so(tmp_path: Path) -> None:
    found = judged(tmp_path, bundle(FLAT))
    assert found.conclusion == "success"
    assert "held against no baseline" in found.headline
    assert found.compared is None


LIES: dict[str, Callable[[list[str]], Sealed]] = {
    "FABRICATED_SCORE": lambda words: resigned(bundle(words), pass_rate=Fraction(1, 2).numerator),
    "HASH_MISMATCH": lambda words: edited(bundle(words), submitted_at=1),
    "BAD_SIGNATURE": lambda words: rehashed(bundle(words), submitted_at=1),
    "UNSIGNED": lambda words: seal(run_of(words), signed=False),
}


@pytest.mark.parametrize("status", LIES)
def test_a_bundle_that_does_not_verify_fails(status: str, tmp_path: Path) -> None:
    for old in (None, bundle(GOOD)):
        found = judged(tmp_path, LIES[status](FLAT), old, "1")
        assert (found.conclusion, agrees(found)) == ("failure", True)
        assert status in found.headline
        assert found.compared is None


@pytest.mark.parametrize("status", LIES)
def test_a_baseline_that_does_not_verify_is_neutral_and_no_pass(status: str, tmp_path: Path) -> None:
    found = judged(tmp_path, bundle(GOOD), LIES[status](FLAT), "1")
    assert (found.conclusion, agrees(found)) == ("neutral", True)
    assert EXIT_CODES[found.conclusion] == 2
    assert status in found.headline


def test_a_lie_and_a_broken_baseline_fail(tmp_path: Path) -> None:
    assert judged(tmp_path, LIES["UNSIGNED"](FLAT), LIES["UNSIGNED"](FLAT)).conclusion == "failure"


@pytest.mark.parametrize(
    ("old", "says"),
    [
        (lambda: bundle(["11"] * 11), "HASH_MISMATCH"),
        (lambda: bundle(["1"] * 12), "attempts at each task: 1 in A, 2 in B"),
        (lambda: bundle(GOOD, sandbox="none"), "sandbox: none in A, bwrap in B"),
        (lambda: bundle(GOOD, network="host"), "network: host in A, none in B"),
    ],
)
def test_an_unlike_baseline_is_neutral(old: Callable[[], Sealed], says: str, tmp_path: Path) -> None:
    found = judged(tmp_path, bundle(GOOD), old(), "1")
    assert found.conclusion == "neutral"
    assert says in found.headline


def test_a_baseline_that_is_none_is_neutral(tmp_path: Path) -> None:
    new = write(tmp_path, {"new": bundle(GOOD)})[0]
    (tmp_path / "nan.json").write_text('{"pass_rate":NaN}')
    for name in ("nan.json", "missing.json", "."):
        found = check_bundle(CiRequest(new, tmp_path / name, Fraction(1), Terms(suite=reader(TASKS))))
        assert (found.conclusion, agrees(found)) == ("neutral", True)
    with pytest.raises(InputError, match=r"nan\.json: "):
        check_bundle(CiRequest(tmp_path / "nan.json", new, Fraction(1), Terms(suite=reader(TASKS))))


def test_signers_are_judged_on_both_sides(tmp_path: Path) -> None:
    ours, theirs = seal(run_of(GOOD), signer("ours")), seal(run_of(GOOD), signer("theirs"))
    policy = SignerPolicy(own=frozenset({signer("ours").public.kid}))
    strict: dict[str, Any] = {"require_trusted_signer": True, "policy": policy}
    assert judged(tmp_path, ours, ours, **strict).conclusion == "success"
    assert judged(tmp_path, ours, theirs, **strict).conclusion == "neutral"
    assert judged(tmp_path, theirs, ours, **strict).conclusion == "failure"
    assert judged(tmp_path, theirs, theirs, policy=policy).conclusion == "success"


def test_a_partial_run_passes_only_beside_one_of_the_same_tasks(tmp_path: Path) -> None:
    run = run_of(GOOD)
    part = seal(replace(run, parts=[each for each in run.parts if each.task.id == "t01"], tasks=("t01",)))
    assert judged(tmp_path, part).conclusion == "failure"
    assert judged(tmp_path, part, bundle(GOOD)).conclusion == "neutral"
    assert judged(tmp_path, part, part).conclusion == "success"


# --- files ---


def written(folder: Path, new: Sealed, old: Sealed | None = None) -> tuple[Verdict, Any, Any, str]:
    out = Outputs(folder / "j.xml", folder / "s.sarif", folder / "s.md")
    found = judged(folder, new, old, "0.01", outputs=out)
    assert out.junit is not None
    assert out.sarif is not None
    assert out.summary is not None
    tests = ET.fromstring(out.junit.read_text(encoding="utf-8"))
    return found, tests, json.loads(out.sarif.read_text(encoding="utf-8")), out.summary.read_text(encoding="utf-8")


def test_the_files_say_what_the_conclusion_says(tmp_path: Path) -> None:
    for new, old, conclusion in (
        (bundle(GOOD), bundle(GOOD), "success"),
        (bundle(WORSE), bundle(GOOD), "failure"),
        (bundle(GOOD), LIES["UNSIGNED"](GOOD), "neutral"),
        (LIES["HASH_MISMATCH"](GOOD), bundle(GOOD), "failure"),
    ):
        found, tests, log, text = written(tmp_path, new, old)
        assert found.conclusion == conclusion
        gate = tests.findall("testsuite")[-1]
        assert gate.get("name") == "tally ci"
        assert (int(gate.get("failures")) > 0) == (conclusion == "failure")
        assert (int(gate.get("errors")) > 0) == (conclusion == "neutral")
        assert len(gate.findall("testcase")) == int(gate.get("tests")) == len(found.checks)
        run = log["runs"][0]
        assert run["properties"]["conclusion"] == conclusion
        assert run["invocations"] == [{"executionSuccessful": conclusion != "neutral", "exitCode": EXIT_CODES[conclusion]}]
        assert text.startswith(f"## tally ci: {conclusion}\n")


def test_claims_of_a_bundle_that_does_not_verify_are_in_no_file(tmp_path: Path) -> None:
    _, tests, log, text = written(tmp_path, LIES["FABRICATED_SCORE"](FLAT))
    assert [each.get("name") for each in tests.findall("testsuite")] == ["tally ci"]
    assert [each["ruleId"] for each in log["runs"][0]["results"]] == ["check-failed"]
    assert "attempts passed" not in text


def test_junit_has_every_attempt_of_a_verified_bundle(tmp_path: Path) -> None:
    _, tests, _, _ = written(tmp_path, bundle(FLAT), bundle(GOOD))
    own = tests.findall("testsuite")[0]
    assert (own.get("tests"), own.get("failures"), own.get("skipped")) == ("24", "6", None)


def test_no_server_goes_red_where_the_gate_holds(tmp_path: Path) -> None:
    found, tests, log, _ = written(tmp_path, bundle(FLAT), bundle(FLAT))
    assert found.conclusion == "success"
    own, gate = tests.findall("testsuite")
    assert [own.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["24", "0", "0", "6"]
    skipped = own.findall("testcase/skipped")
    assert [each.attrib for each in skipped] == [{"message": "did not pass; the gate holds"}] * 6
    assert all((each.text or "").startswith("does not hold: ") for each in skipped)
    assert not tests.findall(".//failure") + tests.findall(".//error")
    assert "the pass rate has not dropped by more than is allowed" in [case.get("name") for case in gate.findall("testcase")]
    results = log["runs"][0]["results"]
    assert [(each["level"], each["ruleId"]) for each in results] == [("note", "task-not-passed")] * 3
    assert [each["properties"] for each in results] == [{"baseline": "0/2", "passed": "0/2"}] * 3


def test_a_gate_that_fails_is_an_error_in_every_file(tmp_path: Path) -> None:
    found, tests, log, _ = written(tmp_path, bundle(FLAT), bundle(GOOD))
    assert found.conclusion == "failure"
    assert [each.tag for each in tests.findall("testsuite")[-1].findall("testcase/*")] == ["failure"]
    assert {each["level"] for each in log["runs"][0]["results"]} == {"error"}


def test_sarif_is_of_the_standards_shape(tmp_path: Path) -> None:
    """The members that SARIF 2.1.0 requires, references that lead somewhere, and no member it does not know."""
    _, _, log, _ = written(tmp_path, bundle(["10", *FLAT[1:]]), bundle(GOOD))
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert set(run) <= {"tool", "results", "invocations", "automationDetails", "columnKind", "properties"}
    driver = run["tool"]["driver"]
    assert driver["name"] == "tally"
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(set(rules)) == len(rules)
    assert [result["ruleId"] for result in run["results"]] == [
        "check-failed",
        "task-flaky",
        "task-not-passed",
        "task-not-passed",
    ]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["message"]["text"]
        (location,) = result["locations"]
        physical = location["physicalLocation"]
        assert physical["region"]["startLine"] >= 1
        assert physical["artifactLocation"]["uri"].endswith("/new.json")
    assert len({str(result["partialFingerprints"]) for result in run["results"][1:]}) == 3
    assert run["results"][1]["properties"] == {"baseline": "2/2", "passed": "1/2"}


def test_results_of_sarif_are_bounded_and_their_text_shows_what_it_holds(tmp_path: Path) -> None:
    found = judged(tmp_path, bundle(GOOD))
    many = replace(found, checks=(*found.checks, *[Check("one\u202e", "failed", "x" * 1000)] * (RESULTS + 10)))
    results = json.loads(b"".join(sarif(many)))["runs"][0]["results"]
    assert len(results) == RESULTS
    assert len(results[0]["message"]["text"]) < 500
    assert "\u202e" not in results[0]["message"]["text"]


def test_an_output_is_none_of_the_sources(tmp_path: Path) -> None:
    new = write(tmp_path, {"new": bundle(GOOD)})[0]
    for place, error in ((new, InputError), (tmp_path / "no" / "x.xml", WriteError)):
        with pytest.raises(error):
            check_bundle(CiRequest(new, terms=Terms(suite=reader(TASKS)), outputs=Outputs(junit=place)))


def test_the_json_says_the_same(tmp_path: Path) -> None:
    found = judged(tmp_path, bundle(WORSE), bundle(GOOD), "0.01")
    tree = json.loads(c1.dumps(verdict_tree(found, 1)))
    assert tree["conclusion"] == "failure"
    assert tree["headline"] == found.headline
    assert tree["drop"] == 0.041667
    assert tree["comparison"]["difference"] == -0.041667


# --- the example ---


def steps() -> Iterator[str]:
    example = yaml.safe_load((ROOT / "examples" / "ci-gate.yml").read_text(encoding="utf-8"))
    assert set(example) == {"name", True, "permissions", "jobs"}  # YAML 1.1 reads `on` as true
    for job in example["jobs"].values():
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            yield step.get("run", "")


def test_the_example_writes_no_empty_key() -> None:
    """A pull request of a fork has no secrets."""
    (place,) = (step for step in steps() if "SIGNING_KEY" in step)
    assert place.index('if [ -z "$SIGNING_KEY" ]') < place.index("exit 0") < place.index("default.pem")


def test_the_commands_of_the_example_exist() -> None:
    text = (ROOT / "examples" / "ci-gate.yml").read_text(encoding="utf-8")
    noted = [line.removeprefix("#").strip() for line in text.splitlines() if line.startswith("#")]
    lines = [*noted, *(line.strip() for step in steps() for line in step.replace("\\\n", " ").splitlines())]
    said = [shlex.split(line)[1:] for line in lines if line.startswith("tally ")]
    assert [words[0] for words in said] == ["run", "key", "doctor", "run", "ci"]
    for words in said:
        command = build().get_command(None, words[0])
        command = command.commands[words[1]] if words[0] == "key" else command
        known = {name for param in command.params for name in param.opts}
        own = words[: words.index("--")] if "--" in words else words
        assert {word for word in own if word.startswith("-")} <= known
    assert "$GITHUB_STEP_SUMMARY" in said[-1]


def test_no_output_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link.xml").symlink_to("a.xml")
    for second in ("a.xml", "./a.xml", "link.xml"):
        assert tally(["ci", "b.json", "--junit", "a.xml", "--sarif", second]) == 2
        assert "three files" in capsys.readouterr().err
    assert tally(["ci", "b.json", "--junit", "/dev/null", "--sarif", "/dev/null"]) == 2
    assert "b.json does not exist" in capsys.readouterr().err
