"""Lists and page sizes that the report does not name."""

import functools
import json

from tally_grader import subject, test

SIZES = [(n, size) for n in (0, 1, 2, 3, 5, 7, 8, 12, 29) for size in (1, 2, 3, 4, 5, 10, 30)]
ASK = """
import json, sys
from library.pages import page, page_count
def answer(n, size):
    books, pages, outside = [f"book {i}" for i in range(n)], [], []
    count = page_count(n, size)
    for number in range(1, min(count, 40) + 1):
        pages.append(page(books, number, size))
    for number in (-1, 0, count + 1, count + 2):
        try:
            page(books, number, size)
            outside.append(False)
        except IndexError:
            outside.append(True)
    return {"count": count, "pages": pages, "outside": outside}
print(json.dumps([answer(n, size) for n, size in json.load(sys.stdin)]))
"""


@functools.cache
def answers() -> list:
    result = subject.run(["python3", "-c", ASK], stdin=json.dumps(SIZES).encode())
    assert result.exit == 0, f"the functions failed: {result.stderr[-300:]!r}"
    found = json.loads(result.stdout)
    assert isinstance(found, list) and len(found) == len(SIZES), "no answers"
    return [(n, size, answer) for (n, size), answer in zip(SIZES, found)]


def pages(n: int, size: int) -> list:
    books = [f"book {index}" for index in range(n)]
    return [books[start : start + size] for start in range(0, n, size)]


with test("last_page"):
    for n, size, answer in answers():
        assert answer["pages"][-1:] == pages(n, size)[-1:], f"the last page of {n} books, {size} on each"

with test("middle_pages"):
    for n, size, answer in answers():
        assert answer["pages"][:-1] == pages(n, size)[:-1], f"the first pages of {n} books, {size} on each"

with test("page_count"):
    for n, size, answer in answers():
        assert answer["count"] == len(pages(n, size)), f"page_count({n}, {size})"

with test("out_of_range"):
    for n, size, answer in answers():
        assert answer["outside"] == [True] * 4, f"pages that there are not, of {n} books, {size} on each"
