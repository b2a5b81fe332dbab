"""Items from several formats."""
