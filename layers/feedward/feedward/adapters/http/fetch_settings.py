"""How the guarded fetch is to behave: its limits, its redirects, and what it calls itself (security T, spec F1)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from feedward.adapters.http.identity import browser_user_agent, user_agent
from feedward.errors import InvalidInput
from feedward.urls.redirects import MAX_REDIRECTS
from feedward.urls.safety import DEFAULT_POLICY, UrlPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """Limits of one fetch with all its hops: seconds, bytes, counts. Raises InvalidInput for what cannot be meant."""

    total_s: float = 10.0
    connect_s: float = 3.0
    io_s: float = 5.0
    wire_bytes: int = 5 << 20
    decoded_bytes: int = 10 << 20
    header_bytes: int = 64 << 10
    follow_redirects: bool = True
    max_redirects: int = MAX_REDIRECTS
    user_agent: str = field(default_factory=user_agent)
    browser_user_agent: str = field(default_factory=browser_user_agent)
    url_policy: UrlPolicy = DEFAULT_POLICY

    def __post_init__(self) -> None:
        for name in ("total_s", "connect_s", "io_s", "wire_bytes", "decoded_bytes", "header_bytes"):
            if getattr(self, name) <= 0:
                raise InvalidInput(name, f"{name} must be above 0")
        if self.max_redirects < 0:
            raise InvalidInput("max_redirects", "max_redirects must not be negative")
        for name in ("user_agent", "browser_user_agent"):
            if not re.fullmatch(r"[\x20-\x7e]+", getattr(self, name)):
                raise InvalidInput(name, f"{name} must be printable ASCII")
