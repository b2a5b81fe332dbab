"""What no change request touches."""

import unittest

from @{package} import Account, Refused


class AccountTest(unittest.TestCase):
    def test_purchase(self):
        account = Account()
        self.assertEqual(account.earn(1, @{kept_cents}), @{kept_points})
        self.assertEqual(account.balance(1), @{kept_points})

    def test_too_much(self):
        account = Account()
        account.earn(1, @{kept_cents})
        for points in (0, -1, 5000):
            with self.assertRaises(Refused):
                account.spend(1, points)
        self.assertEqual(account.balance(1), @{kept_points})

    def test_days_go_on(self):
        account = Account()
        account.balance(5)
        with self.assertRaises(ValueError):
            account.earn(4, @{kept_cents})


if __name__ == "__main__":
    unittest.main()
