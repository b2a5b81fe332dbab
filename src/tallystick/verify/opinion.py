"""Step 12 for a row's opinion: the recorded interview is about this attempt, by the suite's rubric, and gives these scores.

No model is asked. That one gave these answers, and that nobody asked until he liked what he was told, is the submitter's word.
"""

from __future__ import annotations

from tallystick.core.digest import sha256
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.blobs import MissingBlobError
from tallystick.records.opinion import ModelRubric, ModelScores, Opinion
from tallystick.records.report import Status, Step
from tallystick.records.traffic.apis import api_of
from tallystick.records.traffic.bodies import BodyError
from tallystick.records.traffic.cassette import Api, Cassette
from tallystick.records.traffic.normal import normalise
from tallystick.records.traffic.prices import PriceTable
from tallystick.records.traffic.rules import EMPTY_RULES, NO_RULES
from tallystick.records.traffic.told import cost_in, model_and_params
from tallystick.records.traffic.totals import totals_of
from tallystick.records.traffic.usage import read_answer
from tallystick.scoring.interview import PATHS, Interview, InterviewError, Recorded, conclude, recorded_calls
from tallystick.scoring.portable import Workspaces
from tallystick.scoring.quality import opinion_quality
from tallystick.scoring.verdict import Verdict
from tallystick.suites.instruction import instruction
from tallystick.verify.state import Evidence, RefusedError, RowState, Verification

__all__ = ["check_opinion"]


def check_opinion(at: Verification, row: RowState, evidence: Evidence, opinion: Opinion | UnsetType) -> None:
    """The scores are those that the recorded answers give, to requests with this attempt's diff and the suite's rubric.

    Raises:
        RefusedError: FABRICATED_SCORE; WITHHELD where a part of it is not here.
    """
    if opinion is UNSET:
        return
    task = evidence.facts.task
    if task.rubric is UNSET or evidence.grade is None or row.verdict is None:
        raise _forged("a model's opinion, where the suite names no rubric for one or nothing was graded")
    if opinion.rubric != task.rubric:
        raise _forged("a model's opinion by another rubric than the suite's")
    if evidence.exchange is None:
        raise RefusedError(Status.WITHHELD, "the bundle withholds a model judge's interview, so no scores follow")
    rubric = at.options.rubrics.get(opinion.rubric)
    if rubric is None:
        at.note(Step.verdicts, "opinions were not derived again: their rubric is not among this reader's")
        return
    try:
        calls = recorded_calls(evidence.exchange, at.file)
        found = conclude(_interview(at, evidence, row.verdict, opinion, rubric), calls)
    except (InterviewError, BodyError) as error:
        raise _forged(f"opinion: {error}") from None
    except MissingBlobError as error:
        raise RefusedError(Status.WITHHELD, f"{error}, so no opinion follows") from None
    stated = opinion.unjudged if opinion.scores is UNSET else opinion.scores
    if found != stated:
        raise _forged("the opinion's scores are not those of the recorded answer")
    _check_exchange(at, opinion, evidence.exchange, calls)
    row.opinion = opinion_quality(found) if isinstance(found, ModelScores) else None


def _interview(at: Verification, evidence: Evidence, verdict: Verdict, opinion: Opinion, rubric: ModelRubric) -> Interview:
    assert evidence.sealed is not None  # what was graded was sealed
    facts, sealed = evidence.facts, evidence.sealed
    workspaces = Workspaces(base=facts.base, final=sealed.tree, graded=sealed.graded, refused_total=0, blobs=at.contents)
    return Interview(_api(evidence.exchange), opinion.model, rubric, instruction(facts.task), verdict.output, workspaces)


def _api(cassette: Cassette | None) -> Api:
    """By which interface the judge was asked; an interview without a call came to nothing by any."""
    return cassette.calls[0].api if cassette is not None and cassette.calls else "openai.chat"


def _check_exchange(at: Verification, opinion: Opinion, cassette: Cassette, calls: tuple[Recorded, ...]) -> None:
    """What the recording says of its calls is what their bytes say, and the opinion's sums are its."""
    table = at.options.prices.get(opinion.prices)
    if table is None:
        at.note(Step.scores, "the cost of opinions is declared: their price table is not among this reader's")
    if cassette.rules != NO_RULES:
        raise _forged("opinion: its interview is compared by no rules")
    for call, recorded in zip(cassette.calls, calls, strict=True):
        if call.api not in PATHS or call.api != api_of(call.method, call.path):
            raise _forged(f"opinion: call {call.call} is no question to a model")
        normal = normalise(EMPTY_RULES, call.method, call.path, call.query, call.headers, recorded.body)
        told = normal.digest, *model_and_params(call.api, call.path, recorded.body)
        if told != (call.request, call.model, call.params) or sha256(recorded.body) != call.body.whole:
            raise _forged(f"opinion: call {call.call} is not what its body says")
        _check_answer(call.call, cassette, recorded, table)
    used = totals_of(cassette)
    sums = (used.calls, used.input_tokens, used.output_tokens, used.cost_usd)
    if sums != (opinion.calls, opinion.input_tokens, opinion.output_tokens, opinion.cost_usd):
        raise _forged("opinion: calls, tokens or cost are not those of its interview")


def _check_answer(number: int, cassette: Cassette, recorded: Recorded, table: PriceTable | None) -> None:
    call, answer = cassette.calls[number], recorded.answer
    found = read_answer(call.api, answer.content_type, answer.data)
    usage = UNSET if found.usage is None else found.usage
    model = UNSET if found.model is None else found.model
    if (usage, model, len(answer.data)) != (call.usage, call.answered_by, call.answer_bytes):
        raise _forged(f"opinion: call {number} has another answer than it says")
    if table is not None and cost_in(table, call.usage, call.answered_by, call.model) != call.cost_usd:
        raise _forged(f"opinion: the cost of call {number} does not follow from usage and prices")


def _forged(reason: str) -> RefusedError:
    return RefusedError(Status.FABRICATED_SCORE, reason)
