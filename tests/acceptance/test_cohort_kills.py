"""Kill -9 at everything that an act does to the folder of a cohort: it validates as before the act or as after it.

The process kills itself (`cohort_killing`), first at its first such act, then at its second, until it ends by itself. After
every kill the cohort is judged by its snapshot and its history, and the same command does it all or has nothing left to do.
Commands that run or grade something are in `test_cohort_evidence_kills`.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tallystick.flows.cohort.acting import collect
from tallystick.suites.cohorts.samples import COHORT_PATH
from tallystick.trust.signing import Signer
from tallystick.trust.store import KeyStore
from tests.acceptance.cohort_killing import Killer, killer
from tests.acceptance.cohort_standing import copied, settled, standing
from tests.support.cohort_hidden import hidden_sample
from tests.support.cohort_lives import Life, begun, frozen

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("acceptance")]

Made = tuple[Life, list[str]]


def new(root: Path, author: Signer) -> Made:
    life = begun(root, author=author)
    (root / "made").mkdir()
    words = ["new", "made/cohort.json", "--id", "sample/made", "--title", "Made", *task_options(life.source.task(0))]
    return Life(root, life.source, path="made/cohort.json"), words


def task_options(task: dict[str, Any]) -> list[str]:
    return [
        *("--work-unit", task["work_unit"]["path"], "--plan", task["evaluator"]["plan_path"], "--family", task["family"]),
        *("--repository", "https://example.org/sample", "--difficulty", "small", "--split", "pilot"),
        *("--signature", "single-worker-v1", "--signature", "two-workers-v1"),
        *("--negative", "A change that breaks what worked.", "--negative-category", "regression"),
    ]


def add(root: Path, author: Signer) -> Made:
    life = begun(root, tasks=4, author=author)
    return life, ["add", COHORT_PATH, *task_options(life.source.task(4))]


def collecting(root: Path, author: Signer) -> Made:
    return begun(root, author=author), ["collect", COHORT_PATH]


def freezing(root: Path, author: Signer) -> Made:
    life = begun(root, author=author)
    collect(life.where, life.author)
    (root / "review.json").write_bytes(life.reviewed())
    return life, ["freeze", COHORT_PATH, "--review", str(root.parent / "root" / "review.json")]


def exposing(root: Path, author: Signer) -> Made:
    return begun(root, author=author), ["expose", COHORT_PATH, "--reason", "somebody published them"]


def excluding(root: Path, author: Signer) -> Made:
    life = frozen(root, author)
    life.attach(0)
    return life, ["exclude", COHORT_PATH, "--task", life.value["tasks"][0]["id"], "--reason", "its grader was wrong"]


def burning(root: Path, author: Signer) -> Made:
    return frozen(root, author), ["burn", COHORT_PATH, "--reason", "everybody has seen them"]


def revealing(root: Path, author: Signer) -> Made:
    source, opening = hidden_sample()
    life = frozen(root, author, source)
    (root / "opening.json").write_bytes(opening.to_bytes())
    words = ["reveal", COHORT_PATH, "--task", source.task()["id"], "--opening", str(root.parent / "root" / "opening.json")]
    return life, words


def superseding(root: Path, author: Signer) -> Made:
    return frozen(root, author), ["supersede", COHORT_PATH, "--by", "next/cohort.json", "--id", "sample/next"]


ACTS: dict[str, Callable[[Path, Signer], Made]] = {
    "new": new,
    "add": add,
    "collect": collecting,
    "freeze": freezing,
    "expose": exposing,
    "exclude": excluding,
    "burn": burning,
    "reveal": revealing,
    "supersede": superseding,
}


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    with killer(tmp_path_factory.mktemp("killer")) as running:
        yield running


@pytest.mark.parametrize("act", ACTS)
def test_killed_at_everything_it_does(act: str, tmp_path: Path, killing: Killer) -> None:
    home, kept, root = tmp_path / "home", tmp_path / "kept", tmp_path / "root"
    author = KeyStore(home / ".config" / "tallystick" / "keys").new()
    made, words = ACTS[act](kept, author)
    life = Life(root, made.source, path=made.path)
    copied(kept, root)
    before = standing(life.where)

    def play(number: int) -> tuple[int, str]:
        return killing.run(["cohort", *words, "--root", str(root.resolve())], root, home, number)

    code, said = play(0)
    assert code == 0, said
    after = standing(life.where)
    assert after != before
    seen = set()
    for number in range(1, int(said.splitlines()[-1]) + 1):
        copied(kept, root)
        code, said = play(number)
        assert code == -signal.SIGKILL, (number, said)
        found = standing(life.where)
        assert found in {before, after}, number
        seen.add(found)
        settled(life.where)
        assert standing(life.where) == found, number
        if found == before:
            assert play(0)[0] == 0, number
            assert standing(life.where) == after
    assert seen == {before, after}
