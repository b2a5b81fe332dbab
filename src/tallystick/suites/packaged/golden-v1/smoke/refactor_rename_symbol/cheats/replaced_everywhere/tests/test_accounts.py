import unittest

from ledger.accounts import group
from ledger.entries import Entry


class AccountsTest(unittest.TestCase):
    def test_account_keeps_its_balance_method(self):
        accounts = group([Entry("2031-03-01", "cash", 500, ""), Entry("2031-03-02", "cash", -700, "")])
        self.assertEqual(accounts["cash"].net_balance(), -200)
        self.assertTrue(accounts["cash"].overdrawn())


if __name__ == "__main__":
    unittest.main()
