"""Options of @{pkg} in release @{version}."""

DEFAULTS = @{defaults_new}

UNITS = @{units_new}


def effective(settings):
    """All options: those of `settings`, the others by default."""
    unknown = sorted(set(settings) - set(DEFAULTS))
    if unknown:
        raise ValueError(f"no such option: {', '.join(unknown)}")
    return {**DEFAULTS, **settings}
