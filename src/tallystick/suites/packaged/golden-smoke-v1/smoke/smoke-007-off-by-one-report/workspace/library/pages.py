"""Lists of books, page by page."""


def page_count(n, size):
    """Pages that n books fill, `size` of them on each."""
    return n // size


def page(books, number, size):
    """The books of page `number`, counted from 1; IndexError for a page there is not."""
    if not 1 <= number <= page_count(len(books), size):
        raise IndexError(f"no page {number}")
    start = (number - 1) * size
    return books[start : start + size]
