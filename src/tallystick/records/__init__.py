"""The shape of every persisted document, with its one reader and its one writer. Bytes in, values out: no files are opened."""
