"""Bundles whose every text of others tries to be more than text, and files of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from tallystick.records.bundle import Observed
from tallystick.records.evidence import Agent
from tests.support.synthetic import Run, Sealed, file_bytes, honest_run, seal

__all__ = ["EVIL", "NAME", "SCRIPT", "hostile_run", "write_bundle_of"]

SCRIPT: Final = "</script></pre><img src=x onerror=\"document.title='pwned'\"><script>document.title='pwned'</script><!--"
EVIL: Final = f"{SCRIPT}\x1b[2J\u202egnp.exe\u200b\x00\r\n'\"`|&amp;]]>\U000e0041"
"""Markup of every kind, and characters that hide, reorder or move the cursor."""
NAME: Final = "<b onclick=alert(1)>&\"'"


def hostile_run(attempts: int = 2, *, failing: tuple[str, ...] = ("shorten",)) -> Run:
    """A run by an agent with a hostile name, that left hostile files and output."""
    named = f"={NAME}\u202e`|@team www.example.com"
    agent = Agent(adapter="command", name=named, version=SCRIPT[:100], self_test=False, argv=("sh", "-c", EVIL))
    run = honest_run(attempts, agent=agent, failing=failing)
    output = run.blobs.put((EVIL * 50 + "x" * 100_000 + "\nlast line\n").encode())
    for part in run.parts:
        part.observed = Observed(wall_ms=12_345, cpu_ms=400, cost_usd=0, outputs=(("agent.stdout", output),))
        if part.task.id in failing:
            text = f"X = 1\n# {EVIL}\n{'long ' * 2000}\n"
            left = run.put({"m.py": text, NAME: EVIL, "שלום.txt": "שלום עולם\n"})
            part.final = msgspec.structs.replace(left)
    return run


def write_bundle_of(run: Run, path: Path, container: str = "json") -> Sealed:
    """The signed bundle of a run as a file."""
    sealed = seal(run)
    path.write_bytes(file_bytes(sealed, container))
    return sealed
