"""Acts on cohorts: each changes the cohort file and its history together, or neither."""
