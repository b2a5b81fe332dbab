"""What docs/RULES.md names."""

KEYWORDS = @{keywords}
POINTS = @{points}
@{comment}
LIMITS = @{limits}
