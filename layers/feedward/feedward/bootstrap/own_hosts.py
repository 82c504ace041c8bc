"""The hosts of this deployment."""

from __future__ import annotations

from urllib.parse import urlsplit

from feedward.config import Settings


def own_hosts(settings: Settings) -> tuple[str, ...]:
    """Return the hosts of this deployment: a webhook to one, or a hub at one, would be a loop (rule K13)."""
    hosts = (settings.own_host, urlsplit(settings.public_base_url).hostname or "")
    return tuple(host.rstrip(".") for host in hosts if host)
