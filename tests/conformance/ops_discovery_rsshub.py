"""Op of the RSSHub part: rsshub_path."""

from __future__ import annotations

from feedward.discovery.rsshub.routes import rsshub_path

__all__ = ["rsshub_path"]
