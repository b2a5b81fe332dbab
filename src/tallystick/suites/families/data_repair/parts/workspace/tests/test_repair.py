import csv
import pathlib
import unittest

from repair import repair

SAMPLES = pathlib.Path(__file__).parent.parent / "samples"


def rows(text):
    return list(csv.reader(text.splitlines()))


class RepairTest(unittest.TestCase):
    def test_easy_table(self):
        clean, rejects = repair((SAMPLES / "easy.csv").read_text(encoding="utf-8"))
        self.assertEqual(rows(clean), rows((SAMPLES / "easy_clean.csv").read_text(encoding="utf-8")))
        self.assertEqual(rows(rejects), [["row", "reason"]])

    def test_damaged_table(self):
        clean, rejects = repair((SAMPLES / "damaged.csv").read_text(encoding="utf-8"))
        self.assertEqual(rows(clean)[0], rows((SAMPLES / "damaged.csv").read_text(encoding="utf-8"))[0])
        self.assertTrue(all(len(row) == 2 for row in rows(rejects)))


if __name__ == "__main__":
    unittest.main()
