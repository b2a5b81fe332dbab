"""Where foreign code runs: limits, network policy and the drivers behind one Protocol, which report what they enforced.

Nothing here knows about scores.
"""

from __future__ import annotations

from tallystick.sandbox.drivers import Probe, SandboxName, open_sandbox, probe
from tallystick.sandbox.spec import (
    Captured,
    Limits,
    Measured,
    Mount,
    Outcome,
    Pinning,
    Sandbox,
    SandboxError,
    SandboxUnavailableError,
    Spec,
    Talk,
)

__all__ = [
    "Captured",
    "Limits",
    "Measured",
    "Mount",
    "Outcome",
    "Pinning",
    "Probe",
    "Sandbox",
    "SandboxError",
    "SandboxName",
    "SandboxUnavailableError",
    "Spec",
    "Talk",
    "open_sandbox",
    "probe",
]
