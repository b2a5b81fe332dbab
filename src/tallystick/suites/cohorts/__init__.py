"""Cohorts: which tasks, evaluators and evidence belong together; what is wrong with such an index, and its definition."""
