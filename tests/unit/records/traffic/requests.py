"""Rules and requests that the tests of this folder share."""

import json
from typing import Any, Final

from tallystick.records.traffic.normal import Normal, normalise
from tallystick.records.traffic.rules import Drop, Rename, RuleSet, Sort

UUID: Final = r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
ONE: Final = "12345678-1234-4234-8234-123456789abc"
TWO: Final = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"

RULES: Final = RuleSet(
    rules=(
        Sort(name="results", path="messages[*].content", key="tool_use_id", stays=("cache_control",)),
        Drop(name="seconds", pattern=r"\bRan \d{1,6} tests? in (\d{1,6}\.\d{3})s"),
        Rename(name="uuid", pattern=UUID),
        Rename(name="session", pattern=r"\bsession ID (\d{1,9})\b", handle=True),
    )
)


def asked(body: Any, rules: RuleSet = RULES, **parts: Any) -> Normal:
    """A normalised request with this body: bytes as they are, anything else as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request: dict[str, Any] = {"method": "POST", "path": "/v1/messages", "query": "", "headers": (), **parts}
    return normalise(rules, body=data, **request)
