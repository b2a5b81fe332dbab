import json
import pathlib
import unittest

import codec

SAMPLES = sorted(pathlib.Path(__file__).parent.parent.glob("samples/*.json"))


class SamplesTest(unittest.TestCase):
    def each(self):
        for path in SAMPLES:
            sample = json.loads(path.read_text(encoding="utf-8"))
            with self.subTest(sample=path.name):
                yield bytes.fromhex(sample["hex"]), sample["decoded"]

    def test_decode(self):
        for data, document in self.each():
            self.assertEqual(codec.decode(data), document)

    def test_encode(self):
        for data, document in self.each():
            self.assertEqual(codec.encode(document).hex(), data.hex())


if __name__ == "__main__":
    unittest.main()
