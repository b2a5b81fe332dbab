import unittest

import codec


class SamplesTest(unittest.TestCase):
    def test_there_and_back(self):
        document = {"packed": False, "@{records}": []}
        self.assertEqual(codec.decode(codec.encode(document)), document)
