"""The numbers of this house; times in minutes of the day."""

PLACES = @{places}
WAITS = @{waits}
FIXED = "@{fixed}"
NOBODY = "@{nobody}"
OPENS = @{opens}
CLOSES = @{closes}
