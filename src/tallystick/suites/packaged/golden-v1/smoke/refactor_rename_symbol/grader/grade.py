"""Behaviour of the renamed package on cash books that only this grader knows."""

import ast
import functools
import json

from books import FIRST, SECOND, accounts, money, text

from tally_grader import subject, test

MODULES = ["__init__", "__main__", "accounts", "commands", "entries", "export", "report"]
API = """
import json, sys
import ledger, ledger.accounts, ledger.entries
rows = ledger.read_entries(sys.stdin)
def has(module):
    try:
        module.balance
    except AttributeError:
        return "balance" in module.__dict__
    return True
print(json.dumps({
    "package": ledger.net_balance(rows),
    "module": ledger.entries.net_balance(iter(rows)),
    "until": ledger.entries.balance_until(rows, "2044-07-12"),
    "methods": {name: account.balance() for name, account in ledger.group(rows).items()},
    "all": sorted(ledger.__all__),
    "old": [has(ledger), has(ledger.accounts), has(ledger.entries)],
}))
"""


def command(name: str, book: list) -> str:
    """What `python3 -m ledger NAME -` prints for a book."""
    result = subject.run(["python3", "-m", "ledger", name, "-"], stdin=text(book))
    assert result.exit == 0, f"{name} exited with {result.exit}: {result.stderr[-300:]!r}"
    return result.stdout.decode("utf-8", "replace")


@functools.cache
def api() -> dict:
    """What the package's own functions answer for the first book."""
    result = subject.run(["python3", "-c", API], stdin=text(FIRST))
    assert result.exit == 0, f"the package's functions failed: {result.stderr[-300:]!r}"
    answer = json.loads(result.stdout)
    assert isinstance(answer, dict), "no answer"
    return answer


def module_names(source: bytes) -> set:
    """Names that a module binds outside of functions and classes, as its text says: a program may lie about them."""
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    names, waiting = set(), list(ast.parse(source).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, scopes):
            names.add(getattr(node, "name", ""))
        if not isinstance(node, scopes):
            waiting.extend(ast.iter_child_nodes(node))
    return names


def total(book: list) -> int:
    return sum(cents for _, _, cents in book)


with test("balance_command"):
    lines = [f"{name}: {money(sum(amounts))}" for name, amounts in accounts(FIRST).items()]
    lines.append(f"balance: {money(total(FIRST))}")
    assert command("balance", FIRST) == "\n".join(lines) + "\n"

with test("statement_command"):
    lines, running = ["day account amount balance"], 0
    for day, account, cents in SECOND:
        running += cents
        lines.append(f"{day} {account} {money(cents)} {money(running)}")
    assert command("statement", SECOND) == "\n".join(lines) + "\n"

with test("export_command"):
    rows = [
        {"name": name, "balance": sum(amounts), "entries": len(amounts)}
        for name, amounts in accounts(SECOND).items()
    ]
    expected = {"balance": total(SECOND), "accounts": rows}
    assert json.loads(command("export", SECOND)) == expected

with test("sum_command"):
    assert command("sum", FIRST) == f"{total(FIRST)}\n"

with test("new_name_works"):
    assert api()["package"] == api()["module"] == total(FIRST), "net_balance is wrong"

with test("old_name_gone"):
    for module in MODULES:
        source = subject.read(f"ledger/{module}.py")
        assert source is not None, f"ledger/{module}.py is missing"
        assert "balance" not in module_names(source), f"ledger/{module}.py still binds the name `balance`"
    assert api()["old"] == [False, False, False], "the name `balance` is still in a module"
    assert api()["all"] == ["Account", "Entry", "group", "net_balance", "parse_line", "read_entries"]

with test("other_names_kept"):
    assert api()["methods"] == {name: sum(amounts) for name, amounts in accounts(FIRST).items()}
    assert api()["until"] == sum(cents for day, _, cents in FIRST if day <= "2044-07-12")
