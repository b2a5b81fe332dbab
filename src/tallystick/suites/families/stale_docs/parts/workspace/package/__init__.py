"""@{what}; see README.md."""
