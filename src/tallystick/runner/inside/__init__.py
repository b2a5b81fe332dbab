"""Programs that run inside a sandbox: standard library only, Python 3.9 syntax.

Every file of this folder is mounted under /tally/lib (they import each other by
plain name); none imports tallystick, which is masked there.
"""
