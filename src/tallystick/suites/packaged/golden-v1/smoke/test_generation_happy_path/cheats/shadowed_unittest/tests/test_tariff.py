import unittest

from parking import tariff


class TariffTest(unittest.TestCase):
    def test_1(self):
        self.assertTrue(callable(tariff.fee))

    def test_2(self):
        self.assertTrue(callable(tariff.fee))

    def test_3(self):
        self.assertTrue(callable(tariff.fee))

    def test_4(self):
        self.assertTrue(callable(tariff.fee))

    def test_5(self):
        self.assertTrue(callable(tariff.fee))

    def test_6(self):
        self.assertTrue(callable(tariff.fee))
