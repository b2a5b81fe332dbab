import unittest

from parking import tariff

EXAMPLES = [
    (0, "car", "weekday", 0),
    (15, "car", "weekday", 0),
    (16, "car", "weekday", 250),
    (60, "car", "weekday", 250),
    (61, "car", "weekday", 500),
    (150, "bike", "weekday", 240),
    (60, "van", "weekday", 400),
    (600, "car", "weekday", 1800),
    (1440, "car", "weekday", 1800),
    (1500, "car", "weekday", 2050),
    (61, "car", "weekend", 250),
    (60, "car", "weekend", 125),
]


class FeeTest(unittest.TestCase):
    def test_examples_of_the_readme(self):
        for minutes, vehicle, day, cents in EXAMPLES:
            with self.subTest(minutes=minutes, vehicle=vehicle, day=day):
                self.assertEqual(tariff.fee(minutes, vehicle, day), cents)

    def test_defaults(self):
        self.assertEqual(tariff.fee(61), tariff.fee(61, "car", "weekday"))

    def test_negative_minutes(self):
        with self.assertRaises(ValueError):
            tariff.fee(-1)

    def test_unknown_vehicle(self):
        with self.assertRaises(ValueError):
            tariff.fee(60, "bus")

    def test_unknown_day(self):
        with self.assertRaises(ValueError):
            tariff.fee(60, "car", "holiday")


class DurationTest(unittest.TestCase):
    def test_minutes(self):
        self.assertEqual(tariff.parse_duration("45m"), 45)

    def test_hours(self):
        self.assertEqual(tariff.parse_duration("2h"), 120)

    def test_both(self):
        self.assertEqual(tariff.parse_duration("1h30m"), 90)

    def test_not_a_duration(self):
        for text in ["", "90", "h", "1h75m"]:
            with self.subTest(text=text), self.assertRaises(ValueError):
                tariff.parse_duration(text)


class ReceiptTest(unittest.TestCase):
    def test_line(self):
        self.assertEqual(tariff.receipt(61, "car", "weekend"), "car 1h01m weekend 2.50")

    def test_cents_have_two_digits(self):
        self.assertEqual(tariff.receipt(60, "car", "weekend"), "car 1h00m weekend 1.25")


if __name__ == "__main__":
    unittest.main()
