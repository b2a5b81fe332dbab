"""Turns evidence into signed claims: the bundle and its envelopes.

It starts nothing and records nothing; what it signs, others derived.
"""
