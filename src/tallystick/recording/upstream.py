"""Where a provider is. Apart from the gateway, which loads a client: whoever plans a run names providers without one."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Upstream"]


@dataclass(frozen=True, slots=True)
class Upstream:
    """A provider: where it is, and the key that only this side holds. `bearer`: the key is an OAuth token of Anthropic."""

    base_url: str
    key: str = field(repr=False)
    bearer: bool = False
