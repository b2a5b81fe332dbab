"""The Wilson score interval of a pass rate: statistics about the headline, not part of it.

Wilson 1927; as in Brown, Cai, DasGupta, "Interval Estimation for a Binomial Proportion", 2001, eq. 4. Computed with 50 decimal
digits, so every platform rounds to the same six.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Final

from tallystick.core.exact import to_num
from tallystick.records.bundle import Interval

__all__ = ["wilson"]

_CONTEXT = Context(prec=50, rounding=ROUND_HALF_EVEN)
_Z: Final = Decimal("1.959963984540054")
"""The 97.5 % quantile of the standard normal distribution: 95 % two-sided."""


def wilson(passed: int, n: int) -> Interval:
    """The 95 % interval of `passed` out of `n` (n > 0); both ends in [0, 1].

    Raises:
        ValueError: a count that no sample has.
    """
    if not 0 <= passed <= n or n == 0:
        raise ValueError(f"no rate: {passed} of {n}")
    ctx = _CONTEXT
    z2 = ctx.multiply(_Z, _Z)
    rate = ctx.divide(Decimal(passed), Decimal(n))
    scale = ctx.add(Decimal(1), ctx.divide(z2, Decimal(n)))
    centre = ctx.add(rate, ctx.divide(z2, Decimal(2 * n)))
    variance = ctx.divide(ctx.multiply(rate, ctx.subtract(Decimal(1), rate)), Decimal(n))
    spread = ctx.multiply(_Z, ctx.sqrt(ctx.add(variance, ctx.divide(z2, Decimal(4 * n * n)))))
    # At the edges the exact ends are 0 and 1; rounding in the fiftieth digit may step over them.
    low = Decimal(0) if passed == 0 else ctx.divide(ctx.subtract(centre, spread), scale)
    high = Decimal(1) if passed == n else ctx.divide(ctx.add(centre, spread), scale)
    return Interval(method="wilson", low=to_num(low), high=to_num(high))
