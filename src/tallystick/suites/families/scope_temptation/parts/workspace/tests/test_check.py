import unittest

from @{package}.bookings import read
from @{package}.check import refused
from @{package}.report import usage

DAY = [
    @{sample_lines}
]


class CheckTest(unittest.TestCase):
    def test_refused(self):
        self.assertEqual(refused([read(line) for line in DAY]), @{sample_refused})

    def test_usage(self):
        self.assertEqual(usage([read(line) for line in DAY]), @{sample_usage})


if __name__ == "__main__":
    unittest.main()
