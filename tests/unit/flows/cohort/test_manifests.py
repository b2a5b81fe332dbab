"""Which metrics of an attempt count as measured."""

from __future__ import annotations

import pytest

from tallystick.flows.cohort.manifests import unmeasured
from tallystick.records.cohort.vocabulary import Metric


@pytest.mark.parametrize(
    ("resources", "observed", "missing"),
    [
        ({"wall_seconds": 0.0, "tokens": 0}, True, []),
        ({"wall_seconds": 0.0, "tokens": 0}, False, [Metric.WALL_SECONDS]),
        ({"wall_seconds": 1.5}, True, [Metric.TOKENS]),
    ],
)
def test_a_number_that_the_format_demands_is_no_measure(
    *, resources: dict[str, float], observed: bool, missing: list[Metric]
) -> None:
    assert unmeasured(dict(resources), (Metric.WALL_SECONDS, Metric.TOKENS), observed=observed) == missing
