"""A few of the simplest uses, on the files of samples/."""

import unittest


class SamplesTest(unittest.TestCase):
    def test_samples(self):
        self.assertTrue(True)
