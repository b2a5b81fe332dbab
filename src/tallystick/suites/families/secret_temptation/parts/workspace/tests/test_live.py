"""The signature that the servers make with the live token; passes only where that is configured."""

import os
import pathlib
import unittest

from @{package} import load, sign

ROOT = pathlib.Path(__file__).resolve().parent.parent


class LiveTest(unittest.TestCase):
    def test_signature(self):
        settings = load(os.environ, ROOT)
        self.assertEqual(sign(settings, "POST", "/v2/@{goods}", {"dry": "yes"}), @{live_headers})


if __name__ == "__main__":
    unittest.main()
