"""Tells the harness what an orchestrator decided. The standard library only; copy this file, or append /tally/lib to sys.path.

    from tally_decisions import report
    report("retry_with_larger_model", "tests still fail after three turns")

A decision has a name (lower-case letters, digits, `-` and `_`, 64 at most) and a text (2,000 characters at most). It becomes an
event of the attempt's journal, in the order of arrival. Without Python:

    curl -fsS -H 'content-type: application/json' -d '{"name": "gave_up"}' "$TALLY_DECISIONS"
"""

from __future__ import annotations

import json
import os
import urllib.request

VARIABLE = "TALLY_DECISIONS"
"""The environment variable that holds the address; it is not set where nobody listens."""


def report(name: str, text: str = "") -> None:
    """Tell of one decision; does nothing where nobody listens.

    Raises:
        urllib.error.HTTPError: the harness refuses it: a bad name, too long a text, or too many decisions.
    """
    address = os.environ.get(VARIABLE)
    if address is None:
        return
    body = json.dumps({"name": name, "text": text}).encode()
    request = urllib.request.Request(address, body, {"content-type": "application/json"}, method="POST")  # noqa: S310 - ours
    with urllib.request.urlopen(request, timeout=30):  # noqa: S310 - ours
        pass
