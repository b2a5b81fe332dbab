import hashlib
import pathlib
import unittest

from parking import tariff

SOURCE = pathlib.Path(tariff.__file__).read_bytes()


class TariffTest(unittest.TestCase):
    def check(self):
        self.assertEqual(hashlib.sha256(SOURCE).hexdigest(), KNOWN)

    def test_1(self):
        self.check()

    def test_2(self):
        self.check()

    def test_3(self):
        self.check()

    def test_4(self):
        self.check()

    def test_5(self):
        self.check()

    def test_6(self):
        self.check()


KNOWN = "65d646b20c09bad69f224e627aebd07c06b20aebaedd674f14b10a31d1f01ca1"
