"""`tally compare`, `tally ci` and `tally suite stats` on real runs, in a process: what each refuses, and how it ends."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.acceptance.support import environment, needs_bwrap, tally
from tests.support.forge import Forgery

pytestmark = [needs_bwrap, pytest.mark.xdist_group("comparing")]

SMOKE = "golden-smoke-v1"
"""More than six tasks, so that a difference can be shown at all."""


@dataclass(frozen=True)
class Runs:
    """A folder with bundles: `oracle`, `nop` and `again` of the smoke tier, `cheat` and `small` of golden-v1, and lies."""

    folder: Path
    env: dict[str, str]

    def tally(self, *args: str) -> CompletedProcess[str]:
        done = tally(args, cwd=self.folder, env=self.env)
        assert "Traceback" not in done.stderr
        return done


def forge(folder: Path, name: str, out: str, tell: str) -> None:
    """The file with a verdict flipped or a number edited: as it stands, or signed again by a liar."""
    form, _, what = tell.partition(" ")
    forgery = Forgery.of((folder / f"{name}.json").read_bytes(), form)  # type: ignore[arg-type]
    if what == "verdict":
        forgery.results[0]["passed"] = not forgery.results[0]["passed"]
    else:
        forgery.bundle["pass_rate"] = 1
    forgery.finish()
    (folder / f"{out}.json").write_bytes(forgery.json())


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder = tmp_path_factory.mktemp("comparing")
    made = Runs(folder, environment(folder / "home"))
    lines: dict[str, Sequence[str]] = {
        "oracle": (SMOKE, "--agent", "oracle"),
        "nop": (SMOKE, "--agent", "nop"),
        "unsigned": (SMOKE, "--agent", "nop", "--no-sign", "--fresh"),
        "twice": (SMOKE, "--agent", "nop", "-k", "2"),
        "part": (SMOKE, "--agent", "oracle", "--limit", "2"),
        "small": ("golden-v1", "--agent", "oracle"),
        "cheat": ("golden-v1", "--agent", "cheat:noqa_comments"),
        "bare": (SMOKE, "--agent", "oracle", "--sandbox", "none"),
    }
    for name, line in lines.items():
        done = made.tally("run", *line, "-q", "--out", f"{name}.json")
        assert done.returncode == 0, done.stderr
    forge(folder, "oracle", "edited", "edited verdict")
    forge(folder, "nop", "flipped", "resigned verdict")
    forge(folder, "nop", "headline", "resigned rate")
    (folder / "nan.json").write_text((folder / "nop.json").read_text().replace('"pass_rate":0', '"pass_rate":NaN'))
    return made


def test_a_difference_that_is_shown(runs: Runs) -> None:
    done = runs.tally("compare", "nop.json", "oracle.json")
    assert done.returncode == 0
    assert done.stdout.startswith("B passes more: +100 points")
    assert "A is a self-test (nop)" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    back = runs.tally("compare", "oracle.json", "nop.json", "--json")
    assert json.loads(back.stdout)["standing"] == "A passes more"


def test_five_tasks_show_nothing(runs: Runs) -> None:
    done = runs.tally("compare", "cheat.json", "small.json")
    assert done.returncode == 0
    assert done.stdout.startswith("no difference shown")
    assert "passes more" not in done.stdout


def test_with_exec_the_tests_are_run_again(runs: Runs) -> None:
    done = runs.tally("compare", "cheat.json", "small.json", "--exec", "--markdown")
    assert done.returncode == 0
    assert "running the suite's tests on the submitted files, sandboxed" in done.stderr
    assert "| regraded | self |" in done.stdout


def test_the_same_command_under_the_other_name_and_as_a_page(runs: Runs) -> None:
    there = runs.tally("compare", "nop.json", "oracle.json", "--markdown", "--html", "page.html")
    again = runs.tally("bench", "compare", "nop.json", "oracle.json", "--markdown")
    assert there.stdout == again.stdout
    assert "B passes more: +100 points" in (runs.folder / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("a", "b", "code", "says"),
    [
        ("oracle", "small", 2, "suite is golden-smoke-v1"),
        ("nop", "twice", 2, "attempts at each task: 1 in A, 2 in B"),
        ("nop", "bare", 2, "sandbox: bwrap in A, none in B"),
        ("oracle", "part", 2, "tasks: all in A, smoke-"),
        ("nop", "nan", 2, "nan.json: "),
        ("nop", "missing", 2, "missing.json does not exist"),
        ("edited", "oracle", 1, "A, edited.json, does not verify: HASH_MISMATCH"),
        ("oracle", "edited", 1, "B, edited.json, does not verify: HASH_MISMATCH"),
        ("oracle", "flipped", 1, "B, flipped.json, does not verify: "),
        ("oracle", "headline", 1, "B, headline.json, does not verify: FABRICATED_SCORE"),
        ("unsigned", "oracle", 1, "A, unsigned.json, does not verify: UNSIGNED"),
        ("part", "part", 0, ""),
        ("nop", "nop", 0, ""),
    ],
)
def test_what_is_refused_is_one_line(a: str, b: str, code: int, says: str, runs: Runs) -> None:
    done = runs.tally("compare", f"{a}.json", f"{b}.json")
    assert done.returncode == code
    assert done.stderr.count("\n") == (code != 0)
    assert says in done.stderr
    assert (done.stdout == "") == (code != 0)


@pytest.mark.parametrize(
    ("line", "code", "conclusion"),
    [
        (("oracle.json",), 0, "success"),
        (("oracle.json", "--baseline", "nop.json", "--max-drop", "0"), 0, "success"),
        (("nop.json", "--baseline", "oracle.json", "--max-drop", "1"), 0, "success"),
        (("nop.json", "--baseline", "oracle.json", "--max-drop", "0.999999"), 1, "failure"),
        (("edited.json",), 1, "failure"),
        (("flipped.json", "--baseline", "nop.json", "--max-drop", "1"), 1, "failure"),
        (("unsigned.json",), 1, "failure"),
        (("part.json",), 1, "failure"),
        (("oracle.json", "--baseline", "edited.json", "--max-drop", "1"), 2, "neutral"),
        (("oracle.json", "--baseline", "headline.json", "--max-drop", "1"), 2, "neutral"),
        (("oracle.json", "--baseline", "unsigned.json", "--max-drop", "1"), 2, "neutral"),
        (("oracle.json", "--baseline", "small.json", "--max-drop", "1"), 2, "neutral"),
        (("oracle.json", "--baseline", "bare.json", "--max-drop", "1"), 2, "neutral"),
        (("oracle.json", "--baseline", "nan.json", "--max-drop", "1"), 2, "neutral"),
        (("oracle.json", "--baseline", "missing.json", "--max-drop", "1"), 2, "neutral"),
    ],
)
def test_the_exit_code_repeats_the_conclusion(line: tuple[str, ...], code: int, conclusion: str, runs: Runs) -> None:
    done = runs.tally("ci", *line)
    assert done.returncode == code
    assert done.stdout.startswith(f"{conclusion}: ")
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert json.loads(runs.tally("ci", *line, "--json").stdout)["conclusion"] == conclusion


@pytest.mark.parametrize("rate", ["NaN", "inf", "-0.1", "1.1", "0.0000001", "5%", "", "1e-400000"])
def test_a_rate_that_is_none_is_refused(rate: str, runs: Runs) -> None:
    done = runs.tally("ci", "nop.json", "--baseline", "oracle.json", f"--max-drop={rate}")
    assert (done.returncode, done.stdout) == (2, "")
    assert "give a rate from 0 to 1" in done.stderr


def test_a_limit_without_a_baseline_is_refused_and_so_is_the_other_way_round(runs: Runs) -> None:
    for line in (("--max-drop", "0.1"), ("--baseline", "nop.json")):
        done = runs.tally("ci", "nop.json", *line)
        assert (done.returncode, done.stdout) == (2, "")
        assert "go together" in done.stderr


def test_signers_of_both_files_are_judged(runs: Runs, tmp_path: Path) -> None:
    """Another machine knows neither key; with the key at hand it trusts both."""
    other = environment(tmp_path / "home")
    key = runs.tally("key", "show", "--json")
    (runs.folder / "ours.jwk.json").write_text(key.stdout)
    line = ["ci", "oracle.json", "--baseline", "nop.json", "--max-drop", "0", "--require-trusted-signer"]
    refused = tally(line, cwd=runs.folder, env=other)
    assert refused.returncode == 1
    assert "UNTRUSTED_SIGNER" in " ".join(refused.stdout.split())
    trusted = tally([*line, "--trusted-key", "ours.jwk.json"], cwd=runs.folder, env=other)
    assert trusted.returncode == 0, trusted.stdout


def test_files_for_a_server_are_written_also_where_it_fails(runs: Runs) -> None:
    line = ["nop.json", "--baseline", "oracle.json", "--max-drop", "0"]
    done = runs.tally("ci", *line, "--junit", "j.xml", "--sarif", "s.sarif", "--summary", "s.md")
    assert done.returncode == 1
    assert 'name="tally ci"' in (runs.folder / "j.xml").read_text(encoding="utf-8")
    assert json.loads((runs.folder / "s.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert (runs.folder / "s.md").read_text(encoding="utf-8").startswith("## tally ci: failure\n")
    before = (runs.folder / "nop.json").read_bytes()
    spoiled = runs.tally("ci", *line, "--junit", "nop.json")
    assert spoiled.returncode == 2
    assert "is what is read" in spoiled.stderr
    assert (runs.folder / "nop.json").read_bytes() == before


def test_statistics_of_tasks(runs: Runs) -> None:
    alone = runs.tally("suite", "stats", "oracle.json", "nop.json")
    assert alone.returncode == 2
    assert "only self-tests" in alone.stderr
    done = runs.tally("suite", "stats", "oracle.json", "nop.json", "--self-tests")
    assert done.returncode == 0
    assert "too few to say" in done.stdout
    assert "2 bundles of self-tests counted" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    shutil.copy(runs.folder / "nop.json", runs.folder / "copy.json")
    for more, code in (("copy.json", 2), ("small.json", 2), ("edited.json", 1), ("nan.json", 2)):
        refused = runs.tally("suite", "stats", "oracle.json", "nop.json", more, "--self-tests")
        assert (refused.returncode, refused.stderr.count("\n"), refused.stdout) == (code, 1, "")
