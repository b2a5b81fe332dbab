import unittest

import parking


class PackageTest(unittest.TestCase):
    def test_has_a_docstring(self):
        self.assertTrue(parking.__doc__)
