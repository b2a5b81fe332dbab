"""An act under way, as `.cohort-pending` holds it, is only believed where it continues the files beneath it.

Whoever can put a file into the folder could otherwise have older bytes of the cohort written over it, without any key.
"""

from __future__ import annotations

from tallystick.core import pyjson
from tallystick.core.errors import InputError
from tallystick.flows.cohort.folder import Snapshot
from tallystick.suites.cohorts.chain import Chain

__all__ = ["drift_of"]


def drift_of(found: Snapshot, chain: Chain) -> str | None:
    """Why the act under way in a snapshot does not continue what is beneath it; None where it does, or there is none.

    The files may be as they were before the act, or as it is about to leave them. `chain` is the snapshot's history.
    """
    beneath = found.beneath
    if beneath is None or found.history is None:
        return None
    history = beneath.history or b""
    if not found.history.startswith(history):
        return "an act under way holds another history than the file beneath it"
    if beneath.cohort != found.cohort and _digest(beneath.cohort) != _recorded(chain, history.count(b"\n")):
        return "the cohort beneath an act under way is neither the one before the act nor the one after it"
    return None


def _digest(cohort: bytes | None) -> str | None:
    try:
        return None if cohort is None else pyjson.digest(pyjson.read(cohort, strict=True))
    except InputError:
        return ""


def _recorded(chain: Chain, entries: int) -> str | None:
    """The digest that the cohort had after this many entries; None before the first."""
    return chain.entries[entries - 1].cohort_digest if 0 < entries <= len(chain.entries) else None
