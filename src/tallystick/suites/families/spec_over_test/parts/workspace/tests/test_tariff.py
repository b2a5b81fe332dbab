import unittest

from tariff import fee


class TariffTest(unittest.TestCase):
    def test_usual_weights(self):
        @{agreed}

    def test_special_case(self):
        @{contested}


if __name__ == "__main__":
    unittest.main()
