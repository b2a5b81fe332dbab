"""What happened, kept: journal writer, blob store, and the recorded traffic of models.

Nothing here knows about scores.
"""
