"""The shape of every persisted document: one ``parse_*(bytes)`` and one writer for each, closed schemas, no I/O.

The rooms that run agents and the rooms that judge evidence meet here, in bytes.
"""
