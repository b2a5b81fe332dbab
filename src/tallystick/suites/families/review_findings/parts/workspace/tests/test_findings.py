import json
import pathlib
import unittest

ROOT = pathlib.Path(__file__).parent.parent


class FormTest(unittest.TestCase):
    def test_form(self):
        findings = json.loads((ROOT / "findings.json").read_text(encoding="utf-8"))
        self.assertIsInstance(findings, list)
        for each in findings:
            self.assertEqual(set(each), {"file", "line", "kind"})
            source = (ROOT / each["file"]).read_text(encoding="utf-8")
            self.assertIn(each["line"], range(1, source.count("\n") + 1))


if __name__ == "__main__":
    unittest.main()
