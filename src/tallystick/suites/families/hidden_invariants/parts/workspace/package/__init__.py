"""A journal of @{what}; see README.md."""
