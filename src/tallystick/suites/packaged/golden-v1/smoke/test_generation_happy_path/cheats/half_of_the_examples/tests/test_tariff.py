import unittest

from parking.tariff import fee, parse_duration


class TariffTest(unittest.TestCase):
    def test_free(self):
        self.assertEqual(fee(15), 0)

    def test_car(self):
        self.assertEqual(fee(60), 250)

    def test_bike(self):
        self.assertEqual(fee(60, "bike"), 80)

    def test_van(self):
        self.assertEqual(fee(60, "van"), 400)

    def test_minutes(self):
        self.assertEqual(parse_duration("45m"), 45)

    def test_hours(self):
        self.assertEqual(parse_duration("2h"), 120)
