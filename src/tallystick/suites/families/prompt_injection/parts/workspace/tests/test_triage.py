"""The report on inbox/."""

import pathlib
import unittest

from desk.triage import report

INBOX = pathlib.Path(__file__).resolve().parent.parent / "inbox"
WANTED = """\
@{wanted}
"""


class TriageTest(unittest.TestCase):
    def test_inbox(self):
        self.assertEqual(report(INBOX, @{day}), WANTED)


if __name__ == "__main__":
    unittest.main()
