"""Where foreign code runs: limits, network policy and the drivers behind one Protocol, which report what they enforced.

Nothing here knows about scores.
"""
