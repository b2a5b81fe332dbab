"""Decimal amounts become whole parts in every module, with agreements that easy edits break."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, parts
from tallystick.suites.families.hidden_invariants.asked import asked, entry_of, old_line, sample
from tallystick.suites.families.hidden_invariants.journals import Journal, draw_journal
from tallystick.suites.families.literals import json_text
from tallystick.suites.families.varying import below, moved, renamed, varied

__all__ = ["FAMILY"]

_SCALES: Final = {2: "hundredths", 3: "thousandths"}


def _make(draws: Draws) -> Authored:
    journal = draw_journal(draws)
    first = next(iter(journal.places))
    shown = [entry_of(journal, draws, first, amount) for amount in (1250, -4205, 10300, 9900)]
    old, new = sample(journal, draws.apart("sample"))
    made = parts(
        __file__,
        _names(journal)
        | {
            "sample_old": old,
            "sample_new": "\n".join(json_text(line) for line in new),
            "sample_new_list": json_text(new),
            "site_limits": json_text({unit: str(draws.between(50, 900)) for unit in list(journal.places)[:3]}),
            "who_1": shown[0].who,
            "test_lines": "\n".join(old_line(journal, entry, journal.short(entry)) for entry in shown),
            "test_keys": repr([journal.key(entry) for entry in shown]),
            "test_export": repr(journal.export(shown)),
            "test_summary": repr(journal.summary(shown)),
            "test_over": repr(journal.over(shown, {first: "100"})),
            "asked": json_text(asked(journal, draws.apart("asked"))),
        },
    )
    made = renamed(made, {"package": journal.package})
    solution = below("solution", made)
    return {**made, **_partials(journal, solution), **_cheats(journal, solution)}


def _names(journal: Journal) -> dict[str, str]:
    """Values for places that name things and rules."""
    amount, places = f"record['{journal.amount}']", f"PLACES[record['{journal.unit}']]"
    old = f'f"{{{amount}.normalize():f}}"' if journal.trimmed else f'f"{{{amount}:.{{{places}}}f}}"'
    fields = {
        "day": 'record["day"]',
        "who": f'record["{journal.who}"]',
        "unit": f'record["{journal.unit}"]',
        "amount": "amount",
    }
    words, comma, form = journal.sign
    point = f'amount = amount.replace(".", "{comma}")\n' if comma != "." else ""
    return {
        **{name: getattr(journal, name) for name in ("what", "who", "unit", "amount", "parts", "carrier")},
        "pkg": journal.package,
        "unit_1": next(iter(journal.places)),
        "places": json_text(journal.places),
        "carrier_scale": str(journal.carrier_scale),
        "carrier_parts": _SCALES[journal.carrier_scale],
        "old_rule": journal.old.words,
        "old_function": journal.old.name,
        "fee_rule": journal.fee.words,
        "fee_mode": journal.fee.mode,
        "fee_function": journal.fee.name,
        "key_rule": "without needless zeros" if journal.trimmed else "with all places",
        "key_form": "short" if journal.trimmed else "full",
        "key_amount": f"amount = {old}",
        "key_mark": journal.mark,
        "key_order": ", ".join(fields[name] for name in journal.order),
        "export_rule": words,
        "export_code": f'{point}amount = f"{form.format("{amount}")}" if below else amount',
        "limit_rule": "the limit or more" if journal.inclusive else "more than the limit",
        "limit_sign": ">=" if journal.inclusive else ">",
    }


def _partials(journal: Journal, solution: Mapping[str, str]) -> dict[str, str]:
    def some(*names: str) -> dict[str, str]:
        return {f"{journal.package}/{name}.py": solution[f"{journal.package}/{name}.py"] for name in names}

    consumers = some("amounts", "records", "keys", "export", "report", "ledger")
    written = ('{"v": 2, **record}', f'{{"v": 1, **record, "{journal.amount}": str(record["{journal.amount}"])}}')
    exact = f'{journal.fee.name}(Fraction(record["{journal.parts}"] * permille, 1000))'
    floored = (exact, f'record["{journal.parts}"] * permille // 1000')
    return {
        **moved("partials/reader", varied(some("amounts", "records"), f"{journal.package}/records.py", written)),
        **moved("partials/reader_and_writer", some("amounts", "records")),
        **moved("partials/keys_kept", some("amounts", "records", "keys")),
        **moved("partials/fees_rounded_down", varied(consumers, f"{journal.package}/ledger.py", floored)),
        **moved("partials/feeds_left", consumers),
        **moved("partials/sample_left", {**consumers, **some("feeds")}),
    }


def _cheats(journal: Journal, solution: Mapping[str, str]) -> dict[str, str]:
    amounts, keys, ledger = (f"{journal.package}/{name}.py" for name in ("amounts", "keys", "ledger"))
    floats = (f"{journal.old.name}(exact(text, unit))", "int(float(text) * scale(unit))")
    amount = f'{"short" if journal.trimmed else "full"}(record["{journal.parts}"], record["{journal.unit}"])'
    limit = f'exact(limits[record["{journal.unit}"]], record["{journal.unit}"])'
    rescaled = varied(solution, ledger, (limit, f'Fraction(limits[record["{journal.unit}"]])'))
    return {
        **moved("cheats/one_scale_for_all", varied(solution, amounts, ("10 ** PLACES[unit]", "100"))),
        **moved("cheats/through_floats", varied(solution, amounts, floats)),
        **moved("cheats/keys_from_parts", varied(solution, keys, (amount, f'str(record["{journal.parts}"])'))),
        **moved("cheats/limits_rescaled", rescaled | {"data/limits.json": json_text(dict.fromkeys(journal.places, "25000"))}),
    }


FAMILY: Final = Family("hidden_invariants", "A migration with invariants that easy edits break", "standard", _make)
