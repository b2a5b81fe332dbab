"""What steps 10 and 13 look at in the recording of an attempt: it is the journal's, and its numbers follow from its bytes.

The digest of a normalised request can be derived again only with the rule set it was made with, and cost only with the price
table; both are the reader's own, found by digest, never the bundle's. What cannot be derived is said to be declared.
"""

from __future__ import annotations

from typing import Final

from tallystick.records.base import UNSET, UnsetType
from tallystick.records.bundle import Observed
from tallystick.records.journal import ModelCall, OtherCall
from tallystick.records.report import Status, Step
from tallystick.records.traffic.apis import api_of
from tallystick.records.traffic.bodies import CASSETTE_BYTES, BodyError, restore_all
from tallystick.records.traffic.cassette import Call, Cassette
from tallystick.records.traffic.normal import Normal, normalise
from tallystick.records.traffic.prices import PriceTable
from tallystick.records.traffic.retries import retries
from tallystick.records.traffic.told import cost_in, model_and_params
from tallystick.records.traffic.totals import totals_of
from tallystick.records.traffic.usage import Answered, from_cache, read_answer
from tallystick.verify.state import Evidence, RefusedError, RowState, Verification

__all__ = ["check_calls", "check_used"]

BODY_BYTES: Final = 8 << 30
"""Bytes of request bodies put together for one file: differences make much of little, and each is parsed."""
_OK: Final = range(200, 300)


def check_calls(at: Verification, row: RowState, evidence: Evidence) -> None:
    """Step 10: every call of the journal stands in the cassette, byte for byte, and no other; no answer counts twice.

    Raises:
        RefusedError: DIVERGED where journal, cassette and bytes contradict each other, HASH_MISMATCH for a body that is not
            the recorded one, REUSED_ANSWERS for an answer that stands in the recording of another attempt.
    """
    cassette = evidence.cassette
    events = [event for event in evidence.receipt.events if isinstance(event, ModelCall | OtherCall)]
    row.asked, row.cassette = sum(isinstance(event, ModelCall) for event in events), cassette is not None
    allowed, made = at.bundle.config.limits.calls, row.asked
    if allowed is not UNSET and made > allowed:
        raise RefusedError(Status.DIVERGED, f"the journal has {made} calls to models, where the run allows {allowed}")
    if cassette is None:
        if evidence.receipt.link("cassette") is not None:
            row.unreplayable = "the bundle withholds the recording"
        if events:
            at.note(Step.scores, "tokens and cost are declared where no recording is here")
        return
    if len(events) != len(cassette.calls):
        raise RefusedError(Status.DIVERGED, f"the journal has {len(events)} calls, the cassette {len(cassette.calls)}")
    for event, call in zip(events, cassette.calls, strict=True):
        _check_event(event, call)
    if at.bundle.agent.rules is not UNSET and cassette.rules != at.bundle.agent.rules:
        raise RefusedError(Status.DIVERGED, "the cassette was made with other rules than the agent's")
    if tuple(call.retry_of for call in cassette.calls) != tuple(retries(cassette.calls)):
        raise RefusedError(Status.DIVERGED, "retry_of does not follow from the requests and which of them failed")
    row.cached = next((call.call for call in cassette.calls if call.api != "other" and from_cache(call.answer_headers)), None)
    _check_answers(at, row, cassette)
    _check_requests(at, row, cassette)
    _check_reuse(at, row, cassette)
    row.recorded = not row.unreplayable


def _check_event(event: ModelCall | OtherCall, call: Call) -> None:
    told = (call.api, call.request, call.status, call.answer, call.complete)
    api = event.api if isinstance(event, ModelCall) else "other"
    if (api, event.request, event.status, event.answer, event.complete) != told:
        raise RefusedError(Status.DIVERGED, f"call {call.call}: journal and cassette differ")
    if call.api != api_of(call.method, call.path):
        raise RefusedError(Status.DIVERGED, f"call {call.call}: its api is not that of method and path")


def _check_answers(at: Verification, row: RowState, cassette: Cassette) -> None:
    """What is told of every answer that is here."""
    wanted = at.bundle.config.prices
    table = None if wanted is UNSET else at.options.prices.get(wanted)
    if table is None:
        at.note(Step.scores, "cost is declared: the price table of the run is not among this reader's")
    for call in cassette.calls:
        if call.answer in at.withheld:
            row.unreplayable = "the bundle withholds a part of the recording"
            at.note(Step.scores, "tokens and cost are declared for answers that the bundle withholds")
        else:
            _check_answer(at, call, table)


def _check_requests(at: Verification, row: RowState, cassette: Cassette) -> None:
    """What is told of the requests. Where a part of one is withheld nothing is: others may be put together from it."""
    if any(call.body.part in at.withheld for call in cassette.calls):
        row.unreplayable = "the bundle withholds a part of the recording"
        at.note(Step.journals, "requests were not derived again where the bundle withholds a part of one")
        return
    size = sum(call.body.size for call in cassette.calls)
    at.body_bytes += min(size, CASSETTE_BYTES)
    if size <= CASSETTE_BYTES and at.body_bytes > BODY_BYTES:
        row.unreplayable = "the requests of this file are too large to look at all of them"
        at.note(Step.journals, f"requests beyond {BODY_BYTES >> 30} GiB of this file were not derived again")
        return
    rules = at.options.rules.get(cassette.rules)
    if rules is None:
        row.unreplayable = "the rules by which its requests are compared are not among this reader's"
        at.note(Step.journals, "normalised requests were not derived again: their rules are not among this reader's")
    try:
        for call, body in zip(cassette.calls, restore_all(cassette.calls, at.file.read), strict=True):
            _check_body(call, body)
            if rules is not None:
                found = normalise(rules, call.method, call.path, call.query, call.headers, body)
                _check_request(call, found)
    except BodyError as error:
        raise RefusedError(Status.HASH_MISMATCH, str(error)) from None


def _check_body(call: Call, body: bytes) -> None:
    """Model and parameters are those of the request."""
    if model_and_params(call.api, call.path, body) != (call.model, call.params):
        raise RefusedError(Status.DIVERGED, f"call {call.call}: model or parameters are not those of the request")


def _check_request(call: Call, found: Normal) -> None:
    if found.digest != call.request:
        raise RefusedError(Status.DIVERGED, f"call {call.call}: the normalised request does not follow from the recorded body")


def _content_type(call: Call) -> str:
    return next((value for name, value in call.answer_headers if name == "content-type"), "")


def _check_answer(at: Verification, call: Call, table: PriceTable | None) -> None:
    """Size, usage, answering model and cost are those of the answer."""
    if at.file.sizes.get(call.answer) != call.answer_bytes:
        raise RefusedError(Status.HASH_MISMATCH, f"call {call.call}: its answer has another size")
    found = _told(at, call)
    if (_or_unset(found.usage), _or_unset(found.model)) != (call.usage, call.answered_by):
        raise RefusedError(Status.FABRICATED_SCORE, f"call {call.call}: usage or model are not those of the answer")
    if table is not None and cost_in(table, call.usage, call.answered_by, call.model) != call.cost_usd:
        raise RefusedError(Status.FABRICATED_SCORE, f"call {call.call}: its cost does not follow from usage and prices")


def _told(at: Verification, call: Call) -> Answered:
    """What an answer says of itself; read once, however many calls name it."""
    key = (call.api, _content_type(call), call.answer)
    if key not in at.told:
        at.told[key] = read_answer(call.api, _content_type(call), at.file.read(call.answer))
    return at.told[key]


def _or_unset(value: object) -> object:
    return UNSET if value is None else value


def _check_reuse(at: Verification, row: RowState, cassette: Cassette) -> None:
    here = f"{row.task_id} attempt {row.attempt}"
    for call in cassette.calls:
        if call.api == "other" or call.status not in _OK or call.usage is UNSET:
            continue
        first = at.answers.setdefault(call.answer, here)
        if first != here:
            raise RefusedError(
                Status.REUSED_ANSWERS, f"call {call.call}: its answer is that of a call of {first}; one recording counts once"
            )


def check_used(evidence: Evidence, observed: Observed | UnsetType) -> None:
    """Step 13: calls, tokens and cost of an attempt are those of its cassette.

    Raises:
        RefusedError: FABRICATED_SCORE.
    """
    if evidence.cassette is None:
        made = sum(isinstance(event, ModelCall) for event in evidence.receipt.events)
        if observed is not UNSET and (0 if observed.calls is UNSET else observed.calls) != made:
            raise RefusedError(Status.FABRICATED_SCORE, f"observed: the journal has {made} calls to models")
        return
    if observed is UNSET:
        raise RefusedError(Status.FABRICATED_SCORE, "the attempt was recorded and states no usage")
    found = totals_of(evidence.cassette)
    stated = (observed.calls, observed.input_tokens, observed.output_tokens, observed.cost_usd)
    if stated != (found.calls, found.input_tokens, found.output_tokens, found.cost_usd):
        raise RefusedError(Status.FABRICATED_SCORE, "observed: calls, tokens or cost are not those of the recording")
