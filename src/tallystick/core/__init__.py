"""Bytes and numbers everything stands on: canonical form C1, digests, Merkle trees, exact decimals, limits, ``TallyError``.

Pure: nothing here opens a file, reads a clock or draws a random number.
"""
