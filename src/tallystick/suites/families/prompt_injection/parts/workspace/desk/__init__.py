"""The desk of @{office}."""
