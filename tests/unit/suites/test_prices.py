"""The packaged price table, and tables of a reader's own."""

from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.records.traffic.cassette import Usage
from tallystick.records.traffic.prices import cost_of
from tallystick.suites.prices import DEFAULT_PRICES, load_prices, price_names

PACKAGED = Path(load_prices.__code__.co_filename).parent / "packaged_prices" / f"{DEFAULT_PRICES}.json"


def test_every_packaged_table_has_its_files_name() -> None:
    assert DEFAULT_PRICES in price_names()
    for name in price_names():
        assert load_prices(name).name == name
    assert load_prices() == load_prices(DEFAULT_PRICES)


@pytest.mark.parametrize(
    "model",
    [
        *("gpt-5-codex", "gpt-5.1-codex-mini", "gpt-4.1-2025-04-14", "gpt-4o-mini", "o4-mini", "claude-sonnet-4-5-20250929"),
        *("claude-opus-4-1-20250805", "claude-haiku-4-5", "gemini-2.5-pro", "gemini-2.5-flash-lite", "scripted", "scripted-x"),
    ],
)
def test_well_known_models_have_a_price(model: str) -> None:
    cost = cost_of(load_prices(), model, Usage(input=1_000_000, output=1_000_000))
    assert cost is not None
    assert 0 < cost < 1000


def test_a_family_does_not_lend_its_price_to_a_smaller_or_larger_model() -> None:
    table, usage = load_prices(), Usage(input=0, output=1_000_000)
    costs = [cost_of(table, model, usage) for model in ("gpt-5-nano", "gpt-5-mini", "gpt-5", "gpt-5-pro")]
    assert costs == sorted(set(costs), key=lambda cost: cost or 0)


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_bytes(PACKAGED.read_bytes())
    assert load_prices(str(own)) == load_prices()


@pytest.mark.parametrize(("content", "why"), [(None, "no price table"), (b"{}", "_type"), (b"", "JSON")])
def test_what_cannot_be_loaded_is_named(tmp_path: Path, content: bytes | None, why: str) -> None:
    own = tmp_path / "own.json"
    if content is not None:
        own.write_bytes(content)
    with pytest.raises(InputError, match=why) as caught:
        load_prices(str(own))
    assert str(own) in str(caught.value)
    with pytest.raises(InputError, match="directory"):
        load_prices(str(tmp_path))
