"""The gateway: the one door to models, on the host's side of a sandbox. It holds keys, recordings and budgets.

A request goes `attempt` (checks, budgets) -> `source` (`live`: a provider; `replay`: a recording) -> `delivery` (to the agent)
-> `recorder` (blobs, usage, cost). Live, record and replay differ in the source alone. docs/gateway.md says how it works.
"""

from __future__ import annotations

from tallystick.recording.gateway.bounds import Patience
from tallystick.recording.gateway.doors import DOOR_PORT, PROXY_PORT
from tallystick.recording.gateway.errors import GatewayError
from tallystick.recording.gateway.server import Gateway
from tallystick.recording.gateway.session import Session
from tallystick.recording.gateway.spec import Bounds, GatewaySpec, Recording, Served, Traffic, Turns, Upstream

__all__ = [
    "DOOR_PORT",
    "PROXY_PORT",
    "Bounds",
    "Gateway",
    "GatewayError",
    "GatewaySpec",
    "Patience",
    "Recording",
    "Served",
    "Session",
    "Traffic",
    "Turns",
    "Upstream",
]
