"""What a check needs and nothing tells the agent."""

from pathlib import Path

import pytest

from tallystick.flows.task_words import needs
from tallystick.suites.loading import compile_suite, load_suite
from tests.unit.suites.authored import task_text, write_files

GRADED = """\
title: T
assertions:
  - {kind: grader, id: g, script: grade.py, tests: [first_case]}
"""


def found(folder: Path, files: dict[str, str], front: str = GRADED, body: str = "Mend the shop.\n") -> dict[str, bool]:
    """Needs of a task by word: whether they are sure."""
    write_files(
        folder, {"smoke/t/task.md": task_text(front, body), **{f"smoke/t/{path}": text for path, text in files.items()}}
    )
    suite = compile_suite(folder)
    return {need.word: need.sure for need in needs(suite, suite.tasks[0])}


WORKSPACE = {"workspace/shop/__init__.py": "", "workspace/shop/cart.py": "class Cart:\n    def total(self): ...\n"}


def test_an_import_that_nothing_names(tmp_path: Path) -> None:
    grader = "from shop.cart import Cart, CartError\nimport shop.bill\nimport json, helper\nfrom tally_grader import test\n"
    assert found(tmp_path, {**WORKSPACE, "grader/grade.py": grader, "grader/helper.py": ""}) == {
        "CartError": True,
        "bill": True,
    }


def test_attributes_and_arguments_of_what_was_imported(tmp_path: Path) -> None:
    grader = """\
import json
from shop.cart import Cart
cart = Cart(currency="EUR")
cart.total(); cart.add("tea"); cart.lines.append(1); json.dumps({}, indent=1)
class T:
    def setUp(self): self.cart = Cart()
    def test(self): self.cart.discount(); self.other.thing()
"""
    wanted = dict.fromkeys(("currency", "add", "lines", "discount"), True)
    assert found(tmp_path, {**WORKSPACE, "grader/grade.py": grader}) == wanted


def test_what_a_grader_starts_and_reads(tmp_path: Path) -> None:
    grader = """\
from tally_grader import subject, test
subject.run(["python3", "-m", "till", "--json", "probe"])
subject.run(["python3", "-c", "from shop import secret; secret.open_it()"])
subject.run(["python3", "report.py"])
subject.read("out/bill.txt")
with test("first_case"): assert {}["cents_total"] == "x.csv"
"""
    sure = dict.fromkeys(("till", "--json", "secret", "open_it", "report.py", "out/bill.txt"), True)
    assert found(tmp_path, {**WORKSPACE, "grader/grade.py": grader}) == sure | dict.fromkeys(
        ("probe", "cents_total", "x.csv"), False
    )


def test_messages_of_exceptions(tmp_path: Path) -> None:
    grader = """\
import pytest, unittest
class T(unittest.TestCase):
    def test(self):
        with self.assertRaisesRegex(ValueError, "no such  Article"): ...
        with self.assertRaisesRegex(ValueError, "^[a-z]+$"): ...
        with pytest.raises(ValueError, match="too many"): ...
"""
    files = {**WORKSPACE, "grader/grade.py": grader}
    assert found(tmp_path, files, body="Say: No such\narticle.\n") == {"too many": True}


def test_assertions(tmp_path: Path) -> None:
    front = """\
title: T
assertions:
  - {kind: file_exists, path: out.txt}
  - {kind: contains, path: told.txt, text: the end}
  - {kind: symbol_present, path: told.txt, symbol: Cart.add}
  - {kind: only_changed, paths: [told.txt, b.txt]}
"""
    assert found(tmp_path, {}, front, "Write `told.txt` with a class Cart.\n") == {
        "out.txt": True,
        "add": True,
        "b.txt": True,
        "the end": False,
    }


def test_a_word_counts_by_itself_only(tmp_path: Path) -> None:
    grader = "from shop.cart import tot, Cart\n"
    assert found(tmp_path, {**WORKSPACE, "grader/grade.py": grader}) == {"tot": True}
    assert found(tmp_path, {}, body="`tot` is what they call it.\n") == {}


def test_broken_python_is_passed_over(tmp_path: Path) -> None:
    assert found(tmp_path, {"grader/grade.py": "def f(:\n"}) == {}


@pytest.mark.parametrize("task", load_suite("golden-v1").tasks, ids=lambda task: task.id)
def test_the_packaged_tasks_say_what_they_need(task) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    assert [need for need in needs(load_suite("golden-v1"), task) if need.sure] == []
