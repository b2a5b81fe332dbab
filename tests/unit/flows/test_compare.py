"""Comparing two files: verified first, refused where the runs are unlike, and no rank within the noise."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.flows.compare import Compared, CompareRequest, UnlikeRunsError, compare
from tallystick.flows.compare.markdown import comparison_markdown
from tallystick.flows.compare.said import headline
from tallystick.flows.compare.tree import comparison_tree
from tallystick.flows.verified import NotVerifiedError, Terms
from tallystick.records.base import UNSET
from tallystick.records.evidence import AttemptLimits
from tallystick.records.journal import AttemptEnd
from tallystick.trust.policy import SignerPolicy
from tests.support.many import bundle, reader, run_of, write
from tests.support.synthetic import ORACLE, Sealed, edited, honest_run, rehashed, resigned, seal, signer
from tests.support.tiny import LIMITS, make_suite

TASKS = 12
WEAK = ["00"] * 9 + ["11"] * 3
STRONG = ["11"] * 12
FORGED = ["01"] * 12


def compared(folder: Path, a: Sealed, b: Sealed, **terms: Any) -> Compared:
    paths = write(folder, {"a": a, "b": b})
    return compare(CompareRequest(*paths, Terms(suite=terms.pop("suite", reader(TASKS)), **terms)))


def test_a_shown_difference_is_a_rank(tmp_path: Path) -> None:
    found = compared(tmp_path, bundle(WEAK), bundle(STRONG))
    assert found.paired.standing == "B passes more"
    assert headline(found.paired) == "B passes more: +75 points, 95 % interval +41.7 to +100, p = 0.0039"
    assert found.notes == ()


def test_noise_is_no_rank_and_says_what_could_be_shown(tmp_path: Path) -> None:
    found = compared(tmp_path, bundle(["10"] * 12), bundle(["11", "00", *["10"] * 9, "11"]))
    said = headline(found.paired)
    assert said.startswith("no difference shown (B - A: +4.2 points, ")
    assert "the smallest difference that this sample could show is " in said
    assert "passes more" not in said


def test_a_run_against_itself_shows_nothing(tmp_path: Path) -> None:
    one = bundle(WEAK)
    found = compared(tmp_path, one, one)
    assert found.paired.standing == "no difference shown"
    assert found.paired.p.value == 1
    assert "A and B are the same bundle" in found.notes


def test_sides_change_places_with_the_files(tmp_path: Path) -> None:
    there = compared(tmp_path, bundle(WEAK), bundle(STRONG)).paired
    back = compared(tmp_path, bundle(STRONG), bundle(WEAK)).paired
    assert (back.standing, back.difference, back.low, back.high) == (
        "A passes more",
        -there.difference,
        -there.high,
        -there.low,
    )


# --- unlike runs ---

Change = Callable[[], tuple[Sealed, Sealed]]


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ({"sandbox": "none"}, "sandbox: bwrap in A, none in B"),
        ({"network": "gateway"}, "network: none in A, gateway in B"),
        ({"hosts": ("x.test:80",)}, "allowed hosts: none in A, x.test:80 in B"),
        ({"pins": ("clock",)}, "pins: none in A, clock in B"),
        ({"prices": "sha256:" + "1" * 64}, "price table: none in A, 11111111… in B"),
        ({"limits": AttemptLimits(calls=3)}, "limit on calls: none in A, 3 in B"),
        ({"limits": AttemptLimits(tokens=9)}, "limit on tokens: none in A, 9 in B"),
    ],
)
def test_other_conditions_are_refused_with_both_values(config: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(UnlikeRunsError) as caught:
        compared(tmp_path, bundle(STRONG), bundle(STRONG, **config))
    assert str(caught.value) == f"cannot compare: {says}"
    assert caught.value.exit_code == 2


def test_other_attempts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnlikeRunsError, match="attempts at each task: 2 in A, 3 in B"):
        compared(tmp_path, bundle(STRONG), bundle(["111"] * 12))


def test_another_suite_is_refused_before_anything_is_verified(tmp_path: Path) -> None:
    other = bundle(["11"] * 11)
    with pytest.raises(UnlikeRunsError, match=r"suite is many-v1 [0-9a-f]{8}… in A, many-v1 [0-9a-f]{8}… in B"):
        compared(tmp_path, bundle(STRONG), other)


def test_a_partial_run_stands_beside_one_of_the_same_tasks_only(tmp_path: Path) -> None:
    def partial(verdicts: list[str], *tasks: str, signed: bool = True) -> Sealed:
        run = run_of(verdicts)
        kept = [part for part in run.parts if part.task.id in tasks]
        return seal(replace(run, parts=kept, tasks=tasks), signed=signed)

    with pytest.raises(UnlikeRunsError, match="tasks: all in A, t01, t02 in B"):
        compared(tmp_path, bundle(STRONG), partial(STRONG, "t01", "t02"))
    found = compared(tmp_path, partial(WEAK, "t01", "t02"), partial(STRONG, "t01", "t02"))
    assert found.paired.tasks == 2
    assert "partial runs of the same 2 tasks: no score of the suite" in found.notes
    with pytest.raises(NotVerifiedError, match=r"B, .*no signature"):
        compared(tmp_path, partial(WEAK, "t01", "t02"), partial(STRONG, "t01", "t02", signed=False))


def test_a_self_test_may_stand_beside_an_agent_and_is_labelled(tmp_path: Path) -> None:
    oracle = seal(replace(run_of(STRONG), agent=ORACLE))
    found = compared(tmp_path, oracle, bundle(WEAK, network="gateway"))
    assert any(note.startswith("A is a self-test (oracle)") for note in found.notes)
    assert "not held against a self-test, which asks no model: network: none in A, gateway in B" in found.notes
    with pytest.raises(UnlikeRunsError, match="sandbox"):
        compared(tmp_path, oracle, bundle(WEAK, sandbox="none"))


def test_attempts_that_were_never_graded_are_told(tmp_path: Path) -> None:
    run = run_of(WEAK)
    run.part("t01").ending = AttemptEnd(seq=0, outcome="infra_error", cause="sandbox_failed")
    run.part("t01").observed = UNSET
    found = compared(tmp_path, bundle(STRONG), seal(run))
    assert "1 attempt of B never graded, counted as not passed" in found.notes


# --- files that do not verify ---

LIES: dict[str, Callable[[], Sealed]] = {
    "FABRICATED_SCORE": lambda: resigned(bundle(WEAK), pass_rate=1),
    "HASH_MISMATCH": lambda: edited(bundle(WEAK), pass_rate=1),
    "BAD_SIGNATURE": lambda: rehashed(bundle(WEAK), pass_rate=1),
    "UNSIGNED": lambda: seal(run_of(WEAK), signed=False),
    "COVERAGE_MISMATCH": lambda: resigned(bundle(WEAK), task_results=bundle(WEAK).bundle.task_results[:-1]),
}


@pytest.mark.parametrize("status", LIES)
@pytest.mark.parametrize("side", ["A", "B"])
def test_a_file_that_does_not_verify_is_named(status: str, side: str, tmp_path: Path) -> None:
    lie, honest = LIES[status](), bundle(STRONG)
    with pytest.raises(NotVerifiedError) as caught:
        compared(tmp_path, *((lie, honest) if side == "A" else (honest, lie)))
    assert caught.value.exit_code == 1
    assert str(caught.value).startswith(f"{side}, {tmp_path / side.lower()}.json, does not verify: {status}")


def test_a_signer_who_is_not_trusted_is_refused_where_that_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(NotVerifiedError, match=r"A, .*UNTRUSTED_SIGNER"):
        compared(tmp_path, bundle(STRONG), bundle(WEAK), require_trusted_signer=True)
    policy = SignerPolicy(trusted=frozenset({signer().public.kid}))
    assert compared(tmp_path, bundle(STRONG), bundle(WEAK), require_trusted_signer=True, policy=policy).paired.tasks == 12


def test_the_suite_is_never_the_bundles_own(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.json: this bundle is about the suite many-v1"):
        compared(tmp_path, bundle(STRONG), bundle(WEAK), suite=None)
    with pytest.raises(NotVerifiedError, match="HASH_MISMATCH"):
        compared(tmp_path, bundle(STRONG), bundle(WEAK), suite=reader(11))


def test_what_is_no_bundle_is_named(tmp_path: Path) -> None:
    (tmp_path / "n.json").write_text('{"pass_rate":NaN}')
    with pytest.raises(InputError, match=r"n\.json: "):
        compare(CompareRequest(tmp_path / "n.json", tmp_path / "n.json", Terms(suite=reader(TASKS))))


# --- what is written of it ---


def test_the_forms_agree(tmp_path: Path) -> None:
    found = compared(tmp_path, bundle(WEAK, "old"), bundle(STRONG, "new|`x`"))
    tree = c1.loads(c1.dumps(comparison_tree(found)), 1 << 20)
    assert isinstance(tree, dict)
    text = "".join(comparison_markdown(found))
    assert tree["headline"] == headline(found.paired)
    assert f"**{headline(found.paired)}**" in text
    assert str(tree["difference"]) == "0.75"
    assert "`new¦'x'`" in text
    assert text.count("🔼") == 9


def test_the_page_says_it_first_and_escapes_names(tmp_path: Path) -> None:
    paths = write(tmp_path, {"a": bundle(WEAK), "b": bundle(STRONG, "<script>alert(1)</script>")})
    out = tmp_path / "page.html"
    done = compare(CompareRequest(*paths, Terms(suite=reader(TASKS)), html=out, made_at=1_790_000_000))
    page = out.read_text(encoding="utf-8")
    assert done.size == out.stat().st_size
    assert "B passes more: +75 points" in page
    assert page.index("B passes more: +75 points") < page.index('id="tasks"')
    assert "<script>alert" not in page
    with pytest.raises(InputError, match="is what is read"):
        compare(CompareRequest(*paths, Terms(suite=reader(TASKS)), html=paths[0]))


def test_suites_of_one_name_with_other_limits_are_other_suites(tmp_path: Path) -> None:
    eased = make_suite(msgspec.structs.replace(LIMITS, wall_ms=LIMITS.wall_ms * 2))
    with pytest.raises(UnlikeRunsError, match="other tasks, graders or limits"):
        compared(tmp_path, seal(honest_run()), seal(honest_run(suite=eased)))
