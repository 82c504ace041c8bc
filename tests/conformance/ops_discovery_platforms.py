"""Ops of the platform rules: which feeds a platform has for a URL."""

from __future__ import annotations

from feedward.discovery.platforms.index import platform_leads

__all__ = ["platform_feeds"]


def platform_feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]
