"""The code before the task, without docstrings and comments."""

CODE = {
    "trails/times.py": '''
import math

def walking_time(distance_km, ascent_m=0, descent_m=0, *, pace=4.0):
    if min(distance_km, ascent_m, descent_m) < 0:
        raise ValueError('distance, ascent and descent must not be negative')
    flat = distance_km / pace
    steep = ascent_m / 300 + descent_m / 500
    hours = max(flat, steep) + min(flat, steep) / 2
    return math.ceil(round(hours * 60, 6))

def format_minutes(minutes):
    return f'{minutes // 60} h {minutes % 60:02d} min'
''',
    "trails/trail.py": '''
from trails.times import walking_time

class Trail:

    def __init__(self, name, distance_km, ascent_m, descent_m):
        self.name = name
        self.distance_km = distance_km
        self.ascent_m = ascent_m
        self.descent_m = descent_m

    def minutes(self):
        return walking_time(self.distance_km, self.ascent_m, self.descent_m)

    def reversed(self):
        return Trail(self.name, self.distance_km, self.descent_m, self.ascent_m)
''',
}

COMMENTS = {
    "trails/times.py": ["# Rounded up: nobody is late for having been told a minute too much.", "# `2 h 05 min`, as the signposts have it"],
    "trails/trail.py": [],
}
