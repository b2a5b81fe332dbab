"""Kill -9 at everything that `from-suite`, `negatives` and `attach` do to the folders of a cohort.

As `test_cohort_kills`, but here attempts are run and graded for real in between, so the cohort is as small as one can be that
is frozen: one task of it is run. Kills come at everything that is done to the cohort, and at a sample of what is done to
temporary folders and drafts; after a quarter of those at the cohort the command runs again.
"""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tallystick.flows.cohort.opening import Where, look
from tallystick.flows.cohort.suites import cohort_suite
from tallystick.trust.store import KeyStore
from tests.acceptance.cohort_killing import Killer, killer, temporary
from tests.acceptance.cohort_standing import Standing, copied, settled, standing
from tests.acceptance.support import needs_bwrap
from tests.support.cohort_suites import write_small

pytestmark = [pytest.mark.slow, needs_bwrap, pytest.mark.xdist_group("acceptance")]

COHORT: Final = "co/first"
MADE: Final = "co/made"
TASKS: Final = ("Task_1", "Task_2", "Task_3", "Task_4", "Task_5")
RUN: Final = "Task_2"
"""It is graded without a sandbox."""
SAMPLE: Final = 6
"""Kills in folders that nobody looks into yet, evenly over what is done there."""
LAST: Final = 16
"""Of what `from-suite` does, so much of the end is killed one by one: its folders get their names there."""
AGAIN: Final = 4
"""After one kill in so many the command runs again, to its end: it grades anew each time."""


@dataclass(frozen=True)
class Place:
    """A folder `root` with a suite and a frozen cohort, kept to be put back."""

    killing: Killer
    home: Path
    kept: Path
    root: Path

    def play(self, *words: str, number: int = 0, folders: tuple[Path, ...] = ()) -> tuple[int, str]:
        line = [*words, "--root", str(self.root)] if words[0] == "cohort" else list(words)
        return self.killing.run(line, self.root, self.home, number, folders)

    def done(self, *words: str) -> None:
        code, said = self.play(*words)
        assert code == 0, (words, said)

    def where(self, path: str = COHORT) -> Where:
        return Where(self.root, f"{path}/cohort.json")

    def again(self) -> None:
        copied(self.kept, self.root)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("killed").resolve()
    (folder / "root").mkdir()
    write_small(folder / "root" / "suite")
    store = KeyStore(folder / "home" / ".config" / "tallystick" / "keys")
    for name in ("author", "reviewer", "worker"):
        store.new(name)
    with killer(folder) as killing:
        made = Place(killing, folder / "home", folder / "kept", folder / "root")
        freeze(made)
        shutil.rmtree(made.root / ".tally")
        made.root.rename(made.kept)
        yield made


def freeze(place: Place) -> None:
    tasks = [word for task in TASKS for word in ("--task", task)]
    place.done("cohort", "from-suite", "suite", "--out", COHORT, *tasks, "--key", "author")
    place.done("cohort", "collect", COHORT, "--key", "author")
    review = str(place.root / "review.json")
    place.done("cohort", "review", COHORT, "--out", review, "--statement", "read", "--key", "reviewer")
    place.done("cohort", "freeze", COHORT, "--review", review, "--key", "author")
    place.done("run", f"cohort:{COHORT}", "--agent", "oracle", "-q", "--task", RUN, "--key", "worker", "--out", "b.json")
    for task in look(place.where()).cohort.tasks:
        if not task.id.endswith("task-2"):
            place.done("cohort", "exclude", COHORT, "--task", task.id, "--reason", "not run", "--key", "author")


ATTACH: Final = ("cohort", "attach", COHORT, "--bundle", "b.json", "--key", "reviewer")
NEGATIVES: Final = ("cohort", "negatives", COHORT, "--key", "reviewer")
FROM_SUITE: Final = ("cohort", "from-suite", "suite", "--out", MADE)
HIDDEN: Final = (*FROM_SUITE, "--hide", "Task_2", "--key", "author")
COMMANDS: Final = [(ATTACH, "is attached already"), (NEGATIVES, "was run already")]


@pytest.mark.parametrize(("words", "says"), COMMANDS)
def test_killed_while_evidence_is_written(place: Place, words: tuple[str, ...], says: str) -> None:
    place.again()
    before = standing(place.where())
    code, said = place.play(*words)
    assert code == 0, said
    after = standing(place.where())
    seen = set()
    for number in range(1, int(said.splitlines()[-1]) + 1):
        place.again()
        assert place.play(*words, number=number)[0] == -signal.SIGKILL, number
        found = standing(place.where())
        assert found in {before, after}, number
        seen.add(found)
        settled(place.where())
        assert standing(place.where()) == found, number
        if number % AGAIN == 1:
            finishes(place, words, says, (before, after), number)
    assert seen == {before, after}


def finishes(place: Place, words: tuple[str, ...], says: str, stand: tuple[Standing, Standing], number: int) -> None:
    """The same command does it all, or says that it is done; nothing of the one that was killed is left."""
    before, after = stand
    found = standing(place.where())
    code, said = place.play(*words)
    assert (code, found) in {(0, before), (2, after)}, (number, said)
    assert found == before or says in said, number
    assert standing(place.where()) == after, number
    left = [str(path) for path in place.where().folder.rglob(".*")] + [str(path) for path in temporary(place.home).iterdir()]
    assert left == [], number


@pytest.mark.parametrize(("words", "says"), COMMANDS)
def test_killed_while_it_runs_and_grades(place: Place, words: tuple[str, ...], says: str) -> None:
    folders = (temporary(place.home),)
    place.again()
    before = standing(place.where())
    code, said = place.play(*words, folders=folders)
    assert code == 0, said
    after, count = standing(place.where()), int(said.splitlines()[-1])
    assert count >= SAMPLE
    for number in range(count // (2 * SAMPLE) + 1, count + 1, count // SAMPLE):
        place.again()
        assert place.play(*words, number=number, folders=folders)[0] == -signal.SIGKILL, number
        assert standing(place.where()) in {before, after}, number
        finishes(place, words, says, (before, after), number)


def test_killed_while_folders_are_made(place: Place) -> None:
    place.again()
    code, said = place.play(*HIDDEN)
    assert code == 0, said
    after = made(place)
    assert after is not None
    alone, count = 0, int(said.splitlines()[-1])
    for number in (*range(1, count - LAST, count // SAMPLE), *range(count - LAST, count + 1)):
        place.again()
        assert place.play(*HIDDEN, number=number)[0] == -signal.SIGKILL, number
        found = made(place)
        assert found in {None, after}, number
        alone += found is None and (place.root / f"{MADE}.private").exists()
        code, said = place.play(*HIDDEN)
        assert (code, found) in {(0, None), (2, after)}, (number, said)
        assert found is None or "there is a cohort already" in said
        assert made(place) == after, number
        if found is None:
            names = {path.name for path in (place.root / MADE).parent.iterdir()}
            assert names == {"first", "made", "made.private"}, number
    assert alone > 0, "no kill came between the two folders"


def made(place: Place) -> Standing:
    """Where the cohort that was made stands, with every opening of it."""
    found = standing(place.where(MADE))
    if found is not None:
        assert cohort_suite(place.where(MADE), look(place.where(MADE)).cohort).missing == ()
    return found
