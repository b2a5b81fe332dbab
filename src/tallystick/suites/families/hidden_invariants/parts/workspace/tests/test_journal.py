import unittest

from @{pkg} import export, feeds, keys, ledger, records, report

TEXT = """\
@{test_lines}
"""


class JournalTest(unittest.TestCase):
    def test_keys_stay(self):
        self.assertEqual([keys.key(record) for record in records.load(TEXT)], @{test_keys})

    def test_partner(self):
        self.assertEqual(export.export(records.load(TEXT)), @{test_export})

    def test_people(self):
        self.assertEqual(report.summary(records.load(TEXT)), @{test_summary})

    def test_limits(self):
        self.assertEqual(ledger.over(records.load(TEXT), {"@{unit_1}": "100"}), @{test_over})

    def test_counter(self):
        sent = feeds.from_counter("2024-05-01;@{who_1};@{unit_1};1.204,5\n")
        self.assertEqual(report.summary(sent), ["@{who_1} 1204.5 @{unit_1}"])

    def test_what_is_written_can_be_read(self):
        self.assertEqual(records.load(records.dump(records.load(TEXT))), records.load(TEXT))


if __name__ == "__main__":
    unittest.main()
