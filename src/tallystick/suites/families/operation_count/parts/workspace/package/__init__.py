"""Queries over @{what}."""
