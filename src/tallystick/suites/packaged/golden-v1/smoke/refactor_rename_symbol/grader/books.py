"""Cash books as lists of (day, account, cents)."""

FIRST = [
    ("2044-07-01", "till", 40017),
    ("2044-07-03", "bank", -1250),
    ("2044-07-12", "till", -9),
    ("2044-07-12", "tin", 7000),
    ("2044-07-19", "bank", 333301),
    ("2044-07-30", "till", -60),
]
SECOND = [(f"2045-02-{day:02d}", "abc"[day % 3] * 3, (day * 7919) % 5003 - 2500) for day in range(1, 29)]


def money(cents: int) -> str:
    """`-12.50` for -1250."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def text(book: list) -> bytes:
    """The book as the program reads it."""
    lines = ["# a book", ""] + [f"{day}  {name}  {money(cents)}  memo" for day, name, cents in book]
    return "\n".join(lines).encode("utf-8") + b"\n"


def accounts(book: list) -> dict:
    """Amounts by account, in the order in which the accounts first occur."""
    found: dict = {}
    for _, name, cents in book:
        found.setdefault(name, []).append(cents)
    return found
