"""Print a page of books.txt: python3 -m library NUMBER [SIZE]"""

import sys

from library.pages import page, page_count

with open("books.txt", encoding="utf-8") as stream:
    books = stream.read().splitlines()
size = int(sys.argv[2]) if len(sys.argv) > 2 else 4
number = int(sys.argv[1])
print(f"page {number} of {page_count(len(books), size)}")
for book in page(books, number, size):
    print(f"- {book}")
