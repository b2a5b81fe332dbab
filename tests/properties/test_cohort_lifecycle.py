"""Whatever acts are tried in whatever order, a cohort never goes back, and what is frozen stays as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.digest import EMPTY, Digest, sha256
from tallystick.records.bundle import Jwk
from tallystick.records.cohort.vocabulary import Family, Stage
from tallystick.records.cohort_history import (
    Add,
    Attach,
    AttemptRef,
    Burn,
    CohortEntry,
    Collect,
    Detail,
    Exclude,
    Expose,
    Freeze,
    New,
    Reveal,
    Supersede,
    act_of,
    act_of_detail,
)
from tallystick.suites.cohorts.lifecycle import STAGES, WHEN, LifecycleError, State, follow, outcomes_after, stage_after

TASKS = ("task/a", "task/b", "task/c")
DIGESTS = tuple(sha256(text) for text in (b"one", b"two", b"three"))
AUTHOR, OTHER = "A" * 43, "B" * 43

tasks = st.sampled_from(TASKS)
digests = st.sampled_from(DIGESTS)
attempts = st.builds(
    AttemptRef, task_id=tasks, attempt_id=st.sampled_from(("1", "2")), result_manifest=digests, verification_result=digests
)
several = st.lists(tasks, unique=True, max_size=3).map(tuple)
details: st.SearchStrategy[Detail] = st.one_of(
    st.builds(New, tasks=several, minimum_final_tasks=st.just(5), required_families=st.just((Family.BUG_FIX,))),
    st.builds(Add, tasks=several, replaced=several),
    st.builds(Collect),
    st.builds(Expose, says=st.just("known")),
    st.builds(Freeze, review=digests),
    st.builds(Attach, attempts=st.lists(attempts, max_size=2).map(tuple)),
    st.builds(Exclude, task_id=tasks, says=st.just("wrong"), attempts=st.lists(attempts, max_size=2).map(tuple)),
    st.builds(Reveal, task_id=tasks, commitment=digests, opening=digests),
    st.builds(Burn, says=st.just("seen")),
    st.builds(Supersede, successor=st.just("cohort/next")),
)


@st.composite
def entries(draw: st.DrawFn, state: State | None) -> CohortEntry:
    """An entry that is mostly as it should be, and now and then says something else."""
    detail = draw(details)
    told = isinstance(detail, Exclude) and state is not None and draw(st.booleans())
    if told and state is not None and isinstance(detail, Exclude):
        had = tuple(one for one in state.attempts if one.task_id == detail.task_id)
        detail = Exclude(task_id=detail.task_id, says=detail.says, attempts=had)
    honest = draw(st.integers(0, 4)) > 0
    stage = stage_after(act_of_detail(detail), Stage.SCAFFOLD if state is None else state.stage)
    definition = DIGESTS[0] if state is None else state.definition_digest
    return CohortEntry(
        seq=0,
        previous=EMPTY,
        cohort_id="cohort/this",
        stage=stage if honest else draw(st.sampled_from(STAGES)),
        definition_digest=draw(digests) if isinstance(detail, Add) or not honest else definition,
        cohort_digest=Digest(EMPTY),
        outcomes_seen=outcomes_after(state, detail) if honest else draw(st.booleans()),
        detail=detail,
        signer_jwk=Jwk(crv="Ed25519", kty="OKP", x="A" * 43),
        kid=AUTHOR if honest else draw(st.sampled_from((AUTHOR, OTHER))),
        signature="",
    )


def check_step(before: State, entry: CohortEntry, after: State) -> None:
    assert STAGES.index(after.stage) >= STAGES.index(before.stage)
    assert STAGES.index(after.stage) - STAGES.index(before.stage) <= 1
    assert before.stage in WHEN[act_of(entry)]
    if before.frozen:
        assert after.definition_digest == before.definition_digest
        assert after.tasks == before.tasks
        assert after.review == before.review
    if after.frozen and not before.frozen:
        assert not after.exposed
        assert not after.outcomes_seen
        assert after.attempts == ()
    assert after.outcomes_seen >= before.outcomes_seen
    assert after.attempts[: len(before.attempts)] == before.attempts
    assert before.excluded.items() <= after.excluded.items()
    assert before.excluded_after_outcome <= after.excluded_after_outcome
    assert after.exposed[: len(before.exposed)] == before.exposed
    assert (after.cohort_id, after.author, after.targets) == (before.cohort_id, before.author, before.targets)
    assert not (before.held_out is False and after.held_out)


@given(st.data())
def test_no_sequence_of_acts_goes_back(data: st.DataObject) -> None:
    state: State | None = None
    for _ in range(data.draw(st.integers(1, 12))):
        entry = data.draw(entries(state))
        try:
            after = follow(state, entry)
        except LifecycleError:
            continue
        if state is None:
            assert act_of(entry) == "new"
            assert after.stage == Stage.SCAFFOLD
        else:
            check_step(state, entry, after)
        state = after


LIFE: tuple[Detail, ...] = (
    New(tasks=("task/a",), minimum_final_tasks=5, required_families=(Family.BUG_FIX,)),
    Add(tasks=("task/b",)),
    Collect(),
    Freeze(review=DIGESTS[0]),
    Attach(
        attempts=(AttemptRef(task_id="task/a", attempt_id="1", result_manifest=DIGESTS[0], verification_result=DIGESTS[1]),)
    ),
    Burn(says="seen"),
)


@given(st.permutations(LIFE))
def test_a_life_has_one_order(order: list[Detail]) -> None:
    """Of all orders of one act of each kind, those that are accepted whole keep the stages in their order."""
    state: State | None = None
    for detail in order:
        stage = stage_after(act_of_detail(detail), Stage.SCAFFOLD if state is None else state.stage)
        entry = CohortEntry(
            seq=0,
            previous=EMPTY,
            cohort_id="cohort/this",
            stage=stage,
            definition_digest=DIGESTS[0],
            cohort_digest=EMPTY,
            outcomes_seen=outcomes_after(state, detail),
            detail=detail,
            signer_jwk=Jwk(crv="Ed25519", kty="OKP", x="A" * 43),
            kid=AUTHOR,
            signature="",
        )
        try:
            state = follow(state, entry)
        except LifecycleError:
            return
    rest = [detail for detail in order if not isinstance(detail, Add)]
    assert rest == [detail for detail in LIFE if not isinstance(detail, Add)]
