"""A small library."""
