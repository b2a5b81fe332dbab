"""The family of a damaged table: the solution repairs by the rules what the generator has damaged knowingly."""

import ast
import csv
from collections.abc import Callable
from typing import Any

import pytest

from tallystick.suites.families.data_repair import _STAGES, FAMILY
from tallystick.suites.families.data_repair.sheets import COLUMNS, DAMAGES, draw_house, draw_sheet
from tallystick.suites.families.draws import Draws

SEEDS = range(25)
Repair = Callable[[str], tuple[str, str]]


def made(seed: int) -> dict[str, str]:
    return dict(FAMILY.make(Draws("task", FAMILY.name, str(seed), "1")))


def repair_of(source: str) -> Repair:
    names: dict[str, Any] = {"__name__": "drawn"}
    exec(source, names)
    found: Repair = names["repair"]
    return found


def sheets(files: dict[str, str]) -> dict[str, list[tuple[str, list[list[str]], list[list[str]]]]]:
    for node in ast.parse(files["grader/grade.py"]).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "SHEETS":
            found: dict[str, list[tuple[str, list[list[str]], list[list[str]]]]] = ast.literal_eval(node.value)
            return found
    raise KeyError("SHEETS")


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(text.splitlines()))


@pytest.mark.parametrize("seed", SEEDS)
def test_each_stage_repairs_its_groups_and_not_the_others(seed: int) -> None:
    files = made(seed)
    for at, folder in enumerate(
        ("partials/formats", "partials/amounts_too", "partials/rejects_too", "partials/balances_too", "solution")
    ):
        assert folder in _STAGES
        repair = repair_of(files[f"{folder}/repair.py"])
        right = []
        for group, asked in sheets(files).items():
            answers = [[rows(text) for text in repair(given)] for given, _, _ in asked]
            wanted = [[[list(COLUMNS), *clean], [["row", "reason"], *rejects]] for _, clean, rejects in asked]
            right += [group] if answers == wanted else []
        assert right == list(DAMAGES)[: at + 1]


def test_no_wrong_solution_repairs_a_group() -> None:
    for seed in SEEDS:
        files = made(seed)
        for cheat in ("easy_by_heart", "odd_rows_rejected", "sample_made_sound"):
            repair = repair_of(files[f"cheats/{cheat}/repair.py"])
            for asked in sheets(files).values():
                assert not all(rows(repair(given)[0])[1:] == clean for given, clean, _ in asked)


def test_sheets_keep_every_rule_that_the_solution_is_not_asked_for() -> None:
    for seed in SEEDS:
        draws = Draws("rules", str(seed))
        house = draw_house(draws)
        sheet = draw_sheet(draws, house, tuple(DAMAGES))
        balances: dict[str, int] = {}
        for row in (dict(zip(COLUMNS, cells, strict=True)) for cells in sheet.clean):
            sign = 1 if row["kind"] == house.kinds[0] else -1
            balances[row["item"]] = balances.get(row["item"], 0) + sign * int(row["count"])
            assert int(row["balance"]) == balances[row["item"]] >= house.floor
            assert int(row["total"]) == int(row["count"]) * int(row["cents"]) > 0
            assert row["item"] in house.items
        assert len({cells[0] for cells in sheet.clean}) == len(sheet.clean)


def test_the_visible_table_is_repaired_as_it_says() -> None:
    for seed in SEEDS:
        files = made(seed)
        clean, rejects = repair_of(files["solution/repair.py"])(files["workspace/samples/easy.csv"])
        assert rows(clean) == rows(files["workspace/samples/easy_clean.csv"])
        assert rows(rejects) == [["row", "reason"]]


def test_seeds_make_different_rules() -> None:
    assert len({made(seed)["workspace/RULES.md"] for seed in range(100)}) == 100
