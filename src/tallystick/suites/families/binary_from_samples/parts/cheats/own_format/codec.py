"""Read and write .@{ending} files of a @{thing}."""

import json
import zlib


def decode(data):
    body, check = data[4:-4], data[-4:]
    if data[:4] != @{magic} or zlib.crc32(body).to_bytes(4, "big") != check:
        raise ValueError("no sound file")
    return json.loads(body)


def encode(document):
    body = json.dumps(document).encode()
    return @{magic} + body + zlib.crc32(body).to_bytes(4, "big")
