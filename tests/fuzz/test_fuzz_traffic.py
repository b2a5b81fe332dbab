"""A few thousand mutations of model traffic end well. More: `python -m tests.fuzz.traffic`."""

import random
from itertools import islice

import pytest

from tests.fuzz.target import mutations
from tests.fuzz.traffic import SEEDS, one_exchange, one_request


@pytest.mark.parametrize("seed", range(4))
def test_mutations(seed: int) -> None:
    rng = random.Random(seed)
    for data in islice(mutations(SEEDS, rng), 250):
        other = rng.choice(SEEDS)
        one_request(data, other)
        one_exchange(data, other)
