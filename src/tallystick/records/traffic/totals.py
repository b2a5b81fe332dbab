"""What a cassette adds up to."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tallystick.core.exact import Num, to_fraction, to_num
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.traffic.cassette import Cassette

__all__ = ["Totals", "totals_of"]


@dataclass(frozen=True, slots=True)
class Totals:
    """Calls to models, tokens of those calls of which the provider told, and USD where every priced call has a cost."""

    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: Num | UnsetType


def _whole(cost: Fraction) -> Num | UnsetType:
    """A sum that a document can hold; one of too many digits is as good as no price."""
    try:
        return to_num(cost)
    except ValueError:
        return UNSET


def totals_of(cassette: Cassette) -> Totals:
    """The sums over all calls to models. A call without usage cost nothing that anybody told of, and adds nothing."""
    calls = [call for call in cassette.calls if call.api != "other"]
    told = [call.usage for call in calls if call.usage is not UNSET]
    unpriced = any(call.usage is not UNSET and call.cost_usd is UNSET for call in calls)
    cost = sum((to_fraction(call.cost_usd) for call in calls if call.cost_usd is not UNSET), Fraction(0))
    return Totals(
        calls=len(calls),
        input_tokens=sum(usage.input for usage in told),
        output_tokens=sum(usage.output for usage in told),
        cost_usd=UNSET if unpriced else _whole(cost),
    )
