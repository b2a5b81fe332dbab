"""A trail as the handbook lists it."""

from trails.times import walking_time


class Trail:
    """A marked trail: name, length in km, ascent and descent in metres."""

    def __init__(self, name, distance_km, ascent_m, descent_m):
        self.name = name
        self.distance_km = distance_km
        self.ascent_m = ascent_m
        self.descent_m = descent_m

    def minutes(self):
        """Walking time of the trail in minutes."""
        return walking_time(self.distance_km, self.ascent_m, self.descent_m)

    def reversed(self):
        """Return a new trail walked the other way: ascent and descent swapped."""
        return Trail(self.name, self.distance_km, self.descent_m, self.ascent_m)
