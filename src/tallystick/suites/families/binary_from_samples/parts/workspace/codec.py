"""Read and write .@{ending} files of a @{thing}; see FORMAT.md."""


def decode(data):
    """The document of a file given as `bytes`; `ValueError` for what is no sound file."""
    raise NotImplementedError("see FORMAT.md")


def encode(document):
    """The file of a document, as `bytes`: what `decode` would make that document of."""
    raise NotImplementedError("see FORMAT.md")
