import unittest

from parking import tariff


class TariffTest(unittest.TestCase):

    def test_1(self):
        self.assertEqual(tariff.fee(61), 0)

    def test_2(self):
        self.assertEqual(tariff.fee(61), 0)

    def test_3(self):
        self.assertEqual(tariff.fee(61), 0)

    def test_4(self):
        self.assertEqual(tariff.fee(61), 0)

    def test_5(self):
        self.assertEqual(tariff.fee(61), 0)

    def test_6(self):
        self.assertEqual(tariff.fee(61), 0)
