"""Read and write .@{ending} files of a @{thing}."""


def decode(data):
    if data[:4] != @{magic}:
        raise ValueError("another kind of file")
    return {}


def encode(document):
    return @{magic}
