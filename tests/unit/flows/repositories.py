"""Small repositories made with git, in the shape that `tally task new --from-repo` meets."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "Author",
    "GIT_AUTHOR_EMAIL": "author@example.org",
    "GIT_COMMITTER_NAME": "Author",
    "GIT_COMMITTER_EMAIL": "author@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
}

CART = """\
class CartError(ValueError):
    pass


class Cart:
    def __init__(self):
        self.lines = []

    def add(self, name, cents):
        self.lines.append((name, cents))

    def total(self):
        return sum(cents for _, cents in self.lines[1:])
"""
MENDED = (
    CART.replace("self.lines[1:]", "self.lines")
    + """
    def remove(self, name):
        if name not in [line[0] for line in self.lines]:
            raise CartError(f"no such article: {name}")
        self.lines = [line for line in self.lines if line[0] != name]
"""
)
OLD_TESTS = """\
import unittest

from shop.cart import Cart


class CartTest(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(Cart().total(), 0)
"""
NEW_TESTS = """\
import unittest

from shop.cart import Cart, CartError


class CartTest(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()

    def test_empty(self):
        self.assertEqual(self.cart.total(), 0)

    def test_total(self):
        self.cart.add("tea", 300)
        self.cart.add("cup", 450)
        self.assertEqual(self.cart.total(), 750)

    def test_remove(self):
        self.cart.add("tea", 300)
        self.cart.remove("tea")
        self.assertEqual(self.cart.lines, [])
        with self.assertRaisesRegex(CartError, "no such article"):
            self.cart.remove("tea")
"""
FUNCTION_TESTS = """\
import pytest

from shop.cart import Cart


def test_names():
    cart = Cart()
    cart.add("tea", 300)
    assert cart.lines == [("tea", 300)]


class TestTotal:
    def test_one(self):
        cart = Cart()
        cart.add("tea", 300)
        assert cart.total() == 300

    def test_no_name(self):
        with pytest.raises(TypeError):
            Cart().add()
"""

BASE = {
    "README.md": "A shop.\n",
    "shop/__init__.py": "",
    "shop/cart.py": CART,
    "tests/__init__.py": "",
    "tests/test_cart.py": OLD_TESTS,
    "tests/test_names.py": FUNCTION_TESTS,
    "docs/read me.txt": "A name with a space.\n",
}
FIX = {"shop/cart.py": MENDED, "tests/test_cart.py": NEW_TESTS}
MESSAGE = "Count every line of the cart\n\nThe first one was left out.\n\nSigned-off-by: Author <author@example.org>\n"


def git(folder: Path, *words: str) -> str:
    """Run git as the owner of the repository would."""
    done = subprocess.run(["git", *words], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(folder: Path, files: Mapping[str, str | None], message: str = MESSAGE) -> str:
    """Write (or, for None, remove) files and commit; the commit's id."""
    if not (folder / ".git").exists():
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "-q", "-b", "main")
    for name, text in files.items():
        path = folder / name
        if text is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def shop(folder: Path, base: Mapping[str, str] = BASE, fix: Mapping[str, str | None] = FIX) -> str:
    """A repository of two commits; the id of the second one."""
    commit(folder, base, "Begin\n")
    return commit(folder, fix)
