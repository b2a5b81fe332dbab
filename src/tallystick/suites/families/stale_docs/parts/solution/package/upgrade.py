"""Settings of older releases, brought up to date; CHANGELOG.md has the steps."""

FIRST = @{first}
RELEASES = @{steps}


def upgrade(settings, version):
    """The settings that mean today what `settings` meant in release `version`."""
    if version not in [release for release, _ in RELEASES]:
        raise ValueError(f"{version!r} is no release to come from")
    defaults, values, given = dict(FIRST), None, set()
    for release, steps in RELEASES:
        for step in steps:
            apply(step, defaults, given=None)
            if values is not None:
                apply(step, values, given)
        if release == version:
            refuse_unknown(settings, defaults)
            values, given = {**defaults, **settings}, set(settings)
    return {name: value for name, value in values.items() if name in given or value != defaults[name]}


def refuse_unknown(settings, defaults):
    unknown = sorted(set(settings) - set(defaults))
    if unknown:
        raise ValueError(f"not in that release: {', '.join(unknown)}")


def apply(step, values, given):
    """One step; `given` is None for the defaults themselves."""
    kind, name, *rest = step
    if kind in ("add", "default"):
        if given is None:
            values[name] = rest[0]
        return
    if name not in values:
        return
    value = values.pop(name)
    was_given = given is not None and name in given
    if was_given:
        given.discard(name)
    if kind == "drop":
        return
    if kind in ("rename", "invert"):
        name = rest[0]
        value = (not value) if kind == "invert" else value
    elif kind == "scale":
        value = -(-value * rest[0] // rest[1])
    elif kind == "word":
        value = rest[1] if value == rest[0] else value
    values[name] = value
    if was_given:
        given.add(name)
