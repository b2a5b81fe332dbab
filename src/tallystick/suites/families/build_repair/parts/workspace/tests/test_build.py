"""The build runs, and every file is there; docs/DELIVERY.md says what must be in it."""

import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = @{names}


class BuildTest(unittest.TestCase):
    def test_build(self):
        done = subprocess.run([sys.executable, "build.py"], cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        self.assertEqual(sorted(path.name for path in (ROOT / "out").iterdir()), sorted(f"{name}.txt" for name in NAMES))


if __name__ == "__main__":
    unittest.main()
