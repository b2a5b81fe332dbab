"""What sending a @{goods} costs; see TARIFF.md."""


def fee(grams, express=False):
    """The fee in cents."""
    @{body_base}
