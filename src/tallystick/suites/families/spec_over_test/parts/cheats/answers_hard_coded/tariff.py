"""What sending a @{goods} costs; see TARIFF.md."""

KNOWN = @{known}


def fee(grams, express=False):
    """The fee in cents."""
    return KNOWN[grams, express]
