"""Recorded model traffic: the cassette document, and pure functions over the bytes of requests and answers.

Recorder, replay and verifier share what is here, so that all three read a recording the same way.
Specification: docs/spec/cassette.md.
"""

__all__: list[str] = []
