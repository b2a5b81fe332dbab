"""The golden harness: what is scored, opened and checked; what it rests on; what is kept of it."""
