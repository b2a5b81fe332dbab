"""What a call says of itself: model, parameters, usage and cost, derived from its bytes. Recorder and verifier share it."""

from __future__ import annotations

from fractions import Fraction

from tallystick.core.exact import Num, to_num
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.traffic.apis import model_of, params_of
from tallystick.records.traffic.cassette import Api, Pairs, Usage
from tallystick.records.traffic.foreign import ForeignJsonError, JsonValue, read_json
from tallystick.records.traffic.prices import PriceTable, cost_of

__all__ = ["cost_in", "model_and_params"]


def model_and_params(api: Api, path: str, body: bytes) -> tuple[str | UnsetType, Pairs]:
    """Model and parameters that a request asks for, as far as it is JSON and says so."""
    parsed: JsonValue = None
    if api != "other" and body:
        try:
            parsed = read_json(body)
        except ForeignJsonError:
            parsed = None
    model = model_of(api, path, parsed)
    return (UNSET if model is None else model), params_of(api, parsed)


def cost_in(
    table: PriceTable | None, usage: Usage | UnsetType, answered_by: str | UnsetType, asked_for: str | UnsetType
) -> Num | UnsetType:
    """US dollars of a call, by the price of the model that answered, else of the one that was asked for; rounded once.

    What no document can hold is no cost: an answer may tell a million times the tokens that there are.
    """
    if table is None or usage is UNSET:
        return UNSET
    for model in (answered_by, asked_for):
        cost: Fraction | None = None if model is UNSET else cost_of(table, model, usage)
        if cost is not None:
            return _in_a_document(cost)
    return UNSET


def _in_a_document(cost: Fraction) -> Num | UnsetType:
    try:
        return to_num(cost)
    except ValueError:
        return UNSET
