"""Playlists."""

from playlist.queue import Queue

__all__ = ["Queue"]
