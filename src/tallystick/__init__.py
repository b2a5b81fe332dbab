"""Runs coding agents on benchmark tasks and ships every score with the evidence to derive it again.

The rooms below this package import downwards only: ``cli``, ``flows``, ``publish``, ``runner | attest | verify``,
``recording | sandbox | scoring | suites``, ``trust``, ``records``, ``core``. Whoever runs agents produces evidence and
cannot score it; whoever judges evidence executes nothing. They meet in ``records``, which are bytes.
"""

__version__ = "0.1.0"
