"""Read and write .@{ending} files of a @{thing}."""

KNOWN = @{known}


def decode(data):
    for known, document in KNOWN:
        if data.hex() == known:
            return document
    raise ValueError("no sound file")


def encode(document):
    for known, each in KNOWN:
        if document == each:
            return bytes.fromhex(known)
    raise ValueError("no document")
