"""Which tasks exist: the authoring form, its compiler, content addressing, tiers and the packaged suites.

Nothing here runs a task; the files below ``packaged`` are data.
"""
