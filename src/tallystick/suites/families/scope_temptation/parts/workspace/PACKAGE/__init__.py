"""Bookings of each @{place}."""
