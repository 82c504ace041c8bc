"""Ops of the URL and address policy."""

from __future__ import annotations

from feedward.urls.redirects import is_safe_chain
from feedward.urls.safety import is_public_address as is_safe_address
from feedward.urls.safety import is_safe_url

__all__ = ["is_safe_address", "is_safe_chain", "is_safe_url"]
