import unittest

from @{package} import times


class TimesTest(unittest.TestCase):
    def test_minutes(self):
        self.assertEqual(times.minutes("07:30"), 450)

    def test_text(self):
        @{times_test}


if __name__ == "__main__":
    unittest.main()
