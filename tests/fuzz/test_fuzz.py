"""The saved corpus and a few thousand mutations of it end in domain errors only. More: `python -m tests.fuzz.target`."""

import random
from itertools import islice

import pytest

from tests.fuzz.target import CORPUS, mutations, one_input, seeds
from tests.unit.records.samples import DOCUMENTS


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_corpus(path: object) -> None:
    one_input(path.read_bytes())  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(4))
def test_mutations(seed: int) -> None:
    for data in islice(mutations(seeds(), random.Random(seed)), 500):
        one_input(data)


def test_the_corpus_has_a_seed_of_every_document() -> None:
    assert {f"{name}.json" for name in DOCUMENTS} <= {path.name for path in CORPUS.iterdir()}
