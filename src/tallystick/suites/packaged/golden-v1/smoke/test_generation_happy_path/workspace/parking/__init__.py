"""Fees of a car park."""
