"""What this installation brings to a recording: the rule sets of its adapters and its price tables, by digest."""

from __future__ import annotations

from collections.abc import Mapping

from tallystick.core.digest import Digest
from tallystick.records.base import digest_of
from tallystick.records.traffic.prices import PriceTable
from tallystick.records.traffic.rules import EMPTY_RULES, RuleSet
from tallystick.runner.presets import common_rules, load_presets, packaged_presets
from tallystick.suites.prices import load_prices, price_names

__all__ = ["known_prices", "known_rules"]


def known_rules(*, installed: bool = True) -> Mapping[Digest, RuleSet]:
    """Rule sets of agents: never those of a bundle, nor of a working directory, whose maker would then say how.

    `installed`: also those that other packages of this installation bring, which are loaded for that.
    """
    presets = load_presets() if installed else packaged_presets()
    sets = [EMPTY_RULES, common_rules(), *(preset.rules for preset in presets.values())]
    return {digest_of(rules): rules for rules in sets}


def known_prices() -> Mapping[Digest, PriceTable]:
    """The packaged price tables."""
    tables = [load_prices(name) for name in price_names()]
    return {digest_of(table): table for table in tables}
