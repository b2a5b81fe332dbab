"""Settings, a signature and a mask, with a token that is made up."""

import pathlib
import unittest

from @{package} import SettingsError, load, masked, sign

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOKEN = "@{token_prefix}_" + "Example4" * 5


class ClientTest(unittest.TestCase):
    def test_settings(self):
        settings = load({"@{prefix}_TOKEN": TOKEN}, ROOT)
        self.assertEqual((settings.token, settings.base, settings.@{first}), (TOKEN, "@{base}", @{site_first}))

    def test_no_token(self):
        with self.assertRaises(SettingsError):
            load({}, ROOT)

    def test_signature(self):
        settings = load({"@{prefix}_TOKEN": TOKEN}, ROOT)
        self.assertEqual(sign(settings, "get", "/v2/@{goods}", {"page": 2}), @{example_headers})

    def test_mask(self):
        self.assertEqual(masked(f"key {TOKEN}!"), "key @{token_prefix}_Ex@{mask}!")


if __name__ == "__main__":
    unittest.main()
