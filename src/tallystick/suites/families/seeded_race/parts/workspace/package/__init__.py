"""The desk of @{place}."""
