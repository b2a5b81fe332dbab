"""Walking times on marked trails."""

from trails.times import format_minutes, walking_time
from trails.trail import Trail

__all__ = ["Trail", "format_minutes", "walking_time"]
