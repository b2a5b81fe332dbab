"""Measurements of what users wait for, each beside something known, in one run on one machine.

`make bench` runs all of them; `python -m benchmarks verify attempts` runs some. Times of a shared machine swing, so every
figure is a median of interleaved rounds, and the ratio to its neighbour says more than the figure.
"""
