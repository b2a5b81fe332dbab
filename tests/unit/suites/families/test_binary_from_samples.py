"""The family of a binary format: its samples leave nothing open, and two codecs written apart agree."""

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tallystick.suites.families.binary_from_samples import FAMILY
from tallystick.suites.families.binary_from_samples.content import draw_document, draw_layout, sample_documents
from tallystick.suites.families.binary_from_samples.layout import (
    CHECKSUMS,
    COVERS,
    SIGNED,
    UNSIGNED,
    Layout,
    body,
    sealed,
    written,
)
from tallystick.suites.families.draws import Draws
from tests.unit.suites.families.drawn import failing, made

SEEDS = range(25)


def drawn(seed: int) -> Draws:
    return Draws("task", FAMILY.name, str(seed), "1")


def codec(made: dict[str, str], path: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(made[path], path, "exec"), names)
    return names


def others(layout: Layout) -> Iterator[Layout]:
    """The formats that the description allows and that differ from this one in one respect."""
    ways: dict[str, tuple[object, ...]] = {
        "order": ("big", "little"),
        "packed_bit": tuple(range(8)),
        "masked_bit": tuple(range(8)),
        "mask_step": tuple(range(1, 256, 9)),
        "text": ("u8", "u16", "nul"),
        "refs": ("u8", "u16"),
        "sorted_table": (True, False),
        "first_ref": (0, 1),
        "set_when_absent": (True, False),
        "amount": UNSIGNED,
        "level": SIGNED,
        "difference": SIGNED,
        "covers": COVERS,
        "checksum": tuple(CHECKSUMS),
    }
    for name, values in ways.items():
        for value in values:
            if value != getattr(layout, name):
                yield dataclasses.replace(layout, **{name: value})
    swapped = list(layout.fields)
    for at in range(len(swapped) - 1):
        order = [*swapped[:at], swapped[at + 1], swapped[at], *swapped[at + 2 :]]
        yield dataclasses.replace(layout, fields=tuple(order))


def same_files(one: Layout, other: Layout, documents: list[dict[str, Any]]) -> bool:
    try:
        return all(written(one, document) == written(other, document) for document in documents)
    except OverflowError:
        return False


@pytest.mark.parametrize("seed", SEEDS)
def test_samples_tell_the_format_from_every_neighbour(seed: int) -> None:
    layout = draw_layout(drawn(seed).apart("layout"))
    documents = sample_documents(layout, drawn(seed).apart("samples"))
    left_open = [other for other in others(layout) if same_files(layout, other, documents)]
    assert not left_open


@pytest.mark.parametrize("seed", SEEDS)
def test_the_solution_agrees_with_the_writer_in_both_directions(seed: int) -> None:
    layout = draw_layout(drawn(seed).apart("layout"))
    solution = codec(dict(FAMILY.make(drawn(seed))), "solution/codec.py")
    other = Draws("other", str(seed))
    for packed in (False, True):
        for masked in (False, True):
            document = draw_document(layout, other, 5, packed=packed, masked=masked)
            assert solution["decode"](written(layout, document)) == document
            assert solution["encode"](document) == written(layout, document)


def test_the_solution_refuses_what_a_right_checksum_does_not_mend() -> None:
    layout = draw_layout(drawn(1).apart("layout"))
    solution = codec(dict(FAMILY.make(drawn(1))), "solution/codec.py")
    document = draw_document(layout, Draws("other"), 2, packed=False, masked=False)
    header = layout.magic + bytes([layout.version, 0])
    assert solution["decode"](sealed(layout, header, body(layout, document), None)) == document
    for plain in (body(layout, document) + b"\0", body(layout, document)[:-1]):
        with pytest.raises(ValueError, match=r"."):
            solution["decode"](sealed(layout, header, plain, None))


def test_samples_in_the_workspace_are_files_of_the_format() -> None:
    made = FAMILY.make(drawn(3))
    layout = draw_layout(drawn(3).apart("layout"))
    samples = [json.loads(text) for path, text in made.items() if path.startswith("workspace/samples/")]
    assert len(samples) == 7
    assert all(written(layout, each["decoded"]).hex() == each["hex"] for each in samples)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whoever_refuses_for_ever_is_seen(seed: int) -> None:
    files = made(FAMILY.name, seed)
    assert failing(files, "solution") == set()
    assert failing(files, "partials/trusts_content") == {"malformed"}
    assert failing(files, "cheats/refuses_once_and_for_all") == {"damaged", "malformed"}


def test_no_sample_is_asked_again() -> None:
    for seed in SEEDS:
        made = FAMILY.make(drawn(seed))
        samples = [json.loads(text)["hex"] for path, text in made.items() if path.startswith("workspace/samples/")]
        assert not any(each in made["grader/grade.py"] for each in samples)


def test_seeds_make_different_formats() -> None:
    assert (
        len({dataclasses.replace(draw_layout(drawn(seed).apart("layout")), names={}).__repr__() for seed in range(100)}) == 100
    )
