"""Written when the first request of CHANGES.md came in."""

import unittest

from @{package} import Account, Refused

SCRIPTS = @{first_scripts}


def answer(account, call):
    what, day, number = call
    try:
        return account.balance(day) if what == "balance" else getattr(account, what)(day, number)
    except Refused:
        return "Refused"


class FirstRequestTest(unittest.TestCase):
    def test_calls(self):
        for topic, calls, answers in SCRIPTS:
            with self.subTest(topic=topic):
                account = Account()
                self.assertEqual([answer(account, call) for call in calls], answers)


if __name__ == "__main__":
    unittest.main()
