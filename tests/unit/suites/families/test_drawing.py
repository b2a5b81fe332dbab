"""A draw is an ordinary suite that anybody draws again, hash for hash."""

from pathlib import Path

import msgspec
import pytest

from tallystick.core.digest import sha256
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET
from tallystick.records.blobs import MissingBlobError
from tallystick.suites.compiled import SUITE_FILE, read_compiled, write_compiled
from tallystick.suites.fairness import find_gaps, find_unfair
from tallystick.suites.families import family_digest, family_names, load_family
from tallystick.suites.families.drawing import DrawRequest, draw, drawn_again
from tallystick.suites.families.family import filled, removing
from tallystick.suites.loaded import LoadedSuite, SuiteError

SEEDS = 50
NAMES = family_names()


def drawn(seed: str = "a", **counts: int) -> LoadedSuite:
    return draw(DrawRequest(version="drawn", seed=seed, counts=counts or {NAMES[0]: 1}))


@pytest.mark.parametrize("name", NAMES)
def test_every_seed_of_a_family_makes_a_fair_task(name: str) -> None:
    family, hashes = load_family(name), set()
    for seed in range(1, SEEDS + 1):
        suite = drawn(str(seed), **{name: 1})
        task = suite.tasks[0]
        assert (task.id, task.tier) == (f"{name}-1", family.tier)
        assert task.judge == "static-v1"
        assert find_unfair(suite) == ()
        assert [gap for gap in find_gaps(suite) if gap.code != "never_fails"] == []
        assert len(suite.cheats) >= 2
        scores = [partial.score for partial in suite.partials]
        assert 4 <= len(scores) <= 6
        assert scores == sorted(set(scores))
        hashes.add(task.task_hash)
    assert len(hashes) == SEEDS


@pytest.mark.parametrize("name", NAMES)
def test_a_draw_repeats(name: str) -> None:
    one, other = drawn("s", **{name: 2}), drawn("s", **{name: 2})
    assert one.document == other.document
    assert one.tasks[0].task_hash != one.tasks[1].task_hash
    assert drawn_again(one.document).suite_hash == one.suite_hash


def test_a_suite_says_what_it_was_drawn_from() -> None:
    origin = drawn("s", **{NAMES[0]: 2}).document.drawn_from
    assert origin is not UNSET
    assert (origin.seed, origin.beacon) == ("s", UNSET)
    assert [(each.name, each.family, each.count) for each in origin.families] == [(NAMES[0], family_digest(NAMES[0]), 2)]


def test_a_task_swapped_for_another_is_found_when_the_suite_is_drawn_again() -> None:
    honest, other = drawn("a"), drawn("b")
    lie = msgspec.structs.replace(other.document, drawn_from=honest.document.drawn_from)
    with pytest.raises(SuiteError, match="not what these families make of this seed"):
        drawn_again(lie)


def test_a_family_that_has_changed_is_named() -> None:
    document = drawn("a").document
    origin = document.drawn_from
    assert origin is not UNSET
    old = msgspec.structs.replace(origin.families[0], family=sha256(b"before"))
    lie = msgspec.structs.replace(drawn("b").document, drawn_from=msgspec.structs.replace(origin, families=(old,)))
    with pytest.raises(SuiteError, match=f"the families have changed: {NAMES[0]}"):
        drawn_again(lie)


def test_an_authored_suite_is_not_drawn_again() -> None:
    document = msgspec.structs.replace(drawn("a").document, drawn_from=UNSET)
    with pytest.raises(InputError, match="was not drawn"):
        drawn_again(document)


@pytest.mark.parametrize("seed", ["", " a", "a" * 129, "a/b", "-a", "a\n"])
def test_seeds_that_are_none(seed: str) -> None:
    with pytest.raises(InputError, match=r"^the seed .*: give 1 to 128 of"):
        drawn(seed)


@pytest.mark.parametrize("count", [0, 1001])
def test_counts_that_are_none(count: int) -> None:
    with pytest.raises(InputError, match="a count"):
        drawn("a", **{NAMES[0]: count})


def test_unknown_families_are_named() -> None:
    with pytest.raises(InputError, match=f"did you mean {NAMES[0]}"):
        drawn("a", **{NAMES[0][:-1]: 1})
    with pytest.raises(InputError, match="no family"):
        draw(DrawRequest(version="x", seed="a", counts={}))


def test_contents_are_drawn_again_where_no_files_lie_beside_the_document(tmp_path: Path) -> None:
    suite = drawn("a")
    write_compiled(suite, tmp_path / "whole")
    (tmp_path / SUITE_FILE).write_bytes((tmp_path / "whole" / SUITE_FILE).read_bytes())
    bare = read_compiled(tmp_path / SUITE_FILE)
    digest = next(record.digest for record in bare.tree(bare.tasks[0].workspace).records if record.digest is not UNSET)
    assert bare.blobs.read(digest) == suite.blobs.read(digest)
    with pytest.raises(MissingBlobError):
        bare.blobs.read(sha256(b"of no suite"))


def test_places_are_filled_with_their_indentation() -> None:
    assert filled("def f():\n    @{body}\nx = @{name}\n", {"body": "a\nb", "name": "1"}) == "def f():\n    a\n    b\nx = 1\n"
    with pytest.raises(RuntimeError, match=r"no value for @\{name\}"):
        filled("@{name}", {})


def test_removals_are_lines() -> None:
    assert removing("a.py", "b/") == {".tally-removes": "a.py\nb/\n"}
