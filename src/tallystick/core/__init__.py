"""Pure building blocks: canonical form C1, digests, Merkle trees, exact decimals, limits and the error base."""
