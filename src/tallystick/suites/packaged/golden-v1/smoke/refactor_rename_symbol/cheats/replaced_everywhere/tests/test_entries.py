import unittest

from ledger.entries import net_balance, balance_until, read_entries

BOOK = """\
2031-03-01 bank 10.00 start
# a note
2031-03-02 cash -2.5 tea
2031-03-03 bank -0.75 fee
"""


class EntriesTest(unittest.TestCase):
    def setUp(self):
        self.rows = read_entries(BOOK.splitlines())

    def test_reads_every_entry(self):
        self.assertEqual([row.cents for row in self.rows], [1000, -250, -75])

    def test_net_balance(self):
        self.assertEqual(net_balance(self.rows), 675)

    def test_balance_of_nothing(self):
        self.assertEqual(net_balance([]), 0)

    def test_until(self):
        self.assertEqual(balance_until(self.rows, "2031-03-02"), 750)


if __name__ == "__main__":
    unittest.main()
