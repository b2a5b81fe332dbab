"""A model judge's word on an attempt: the rubric it was asked by, and what it answered.

An opinion is evidence beside a receipt, never in it: nobody can ask a model again and be told the same. Its scores follow from
the recorded exchange; that a model gave these answers is the submitter's word. Specification: docs/spec/opinion.md.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from tallystick.records.base import UNSET, Count, Num, Record, Sha, Slug, UnsetType, parse

__all__ = ["CRITERIA", "ModelRubric", "ModelScores", "Opinion", "Unjudged", "parse_rubric"]

CRITERIA: Final = ("correctness", "style", "test_coverage", "safety")
"""What every rubric asks for, in this order."""

Score = Annotated[int, msgspec.Meta(ge=0, le=5)]
ModelName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$(?!\n)")]

Unjudged = Literal["no_answer", "no_scores"]
"""Why no scores came of asking: the provider gave no usable answer; what it answered, twice, was not four scores."""


class ModelRubric(Record, tag_field="_type", tag="tallystick/model-rubric/v1"):
    """What a model is told to look for. The form of its answer belongs to the format, not to a rubric."""

    name: Slug
    instructions: Annotated[str, msgspec.Meta(min_length=1, max_length=20_000)]


class ModelScores(Record):
    """Four whole numbers from 0 to 5, as the model gave them."""

    correctness: Score
    style: Score
    test_coverage: Score
    safety: Score


class Opinion(Record):
    """One model's judgement of one attempt. `cassette` records the exchange; there are either `scores` or why there are none.

    `model` is what was asked for. Calls, tokens and cost are those of the exchange and are no part of the agent's.
    """

    rubric: Sha
    model: ModelName
    cassette: Sha
    prices: Sha
    calls: Count
    input_tokens: Count
    output_tokens: Count
    cost_usd: Num | UnsetType = UNSET
    scores: ModelScores | UnsetType = UNSET
    unjudged: Unjudged | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Failure is told by its reason, never by scores."""
        if (self.scores is UNSET) == (self.unjudged is UNSET):
            raise ValueError("an opinion has either scores or a reason why there are none")


def parse_rubric(data: bytes) -> ModelRubric:
    """Read a rubric; errors as `records.base.parse`."""
    return parse(data, ModelRubric)
