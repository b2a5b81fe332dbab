"""One file per act that crosses rooms, such as a run, a suite check or a regrade.

Flows parse no options and print nothing.
"""
