"""A few of the simplest uses, on the files of samples/."""

import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CASES = @{sample_cases}


class SamplesTest(unittest.TestCase):
    def test_samples(self):
        for args, out in CASES:
            with self.subTest(args=args):
                command = [sys.executable, "-m", "@{prog}", *args]
                done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
                self.assertEqual((done.stdout, done.stderr, done.returncode), (out, "", 0))


if __name__ == "__main__":
    unittest.main()
