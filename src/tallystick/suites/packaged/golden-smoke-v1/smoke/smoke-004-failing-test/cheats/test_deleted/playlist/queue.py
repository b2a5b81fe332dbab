"""A queue of songs and the place that is playing."""


class Queue:
    """Songs as (title, seconds) pairs; `position` is the index of the one that plays."""

    def __init__(self, songs):
        self.songs = list(songs)
        self.position = 0

    def total(self):
        """Seconds of all songs."""
        return sum(seconds for _, seconds in self.songs)

    def longest(self):
        """Title of the longest song, the first of several; None for an empty queue."""
        if not self.songs:
            return None
        return max(self.songs, key=lambda song: song[1])[0]

    def skip_to(self, title):
        """Play the first song of that title next; KeyError where there is none."""
        for index, (name, _) in enumerate(self.songs):
            if name == title:
                self.position = index
                return
        raise KeyError(title)

    def remaining(self):
        """Seconds of the song that plays and of all after it."""
        return sum(seconds for index, (_, seconds) in enumerate(self.songs) if index > self.position)

# TODO: remaining
