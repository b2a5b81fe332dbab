import unittest

from @{pkg} import settings


class SettingsTest(unittest.TestCase):
    def test_what_is_set_wins(self):
        self.assertEqual(settings.effective({"@{steady}": 77})["@{steady}"], 77)

    def test_unknown_options_are_refused(self):
        with self.assertRaises(ValueError):
            settings.effective({"no such option": 1})


class UpgradeTest(unittest.TestCase):
    def test_what_never_changed_stays(self):
        from @{pkg}.upgrade import upgrade

        self.assertEqual(upgrade({"@{steady}": 77}, "@{version}"), {"@{steady}": 77})
        self.assertEqual(upgrade({"@{steady}": 77}, "@{first_release}")["@{steady}"], 77)

    def test_a_name_of_the_first_release(self):
        from @{pkg}.upgrade import upgrade

        self.assertEqual(upgrade({"@{name_first}": 77}, "@{first_release}")["@{name_last}"], 77)


if __name__ == "__main__":
    unittest.main()
