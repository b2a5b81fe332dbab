"""The numbers of docs/TERMS.md."""

POINTS_PER_100_CENTS = @{rate}
