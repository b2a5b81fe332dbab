"""Options of @{pkg}."""

DEFAULTS = @{defaults_old}

UNITS = @{units_old}


def effective(settings):
    """All options: those of `settings`, the others by default."""
    unknown = sorted(set(settings) - set(DEFAULTS))
    if unknown:
        raise ValueError(f"no such option: {', '.join(unknown)}")
    return {**DEFAULTS, **settings}
