"""Ops of the URL part: resolve, normalize, presets, key, score, rewrites, probes."""

from __future__ import annotations

from typing import Any

from feedward.api.canonicalize import normalize_options
from feedward.canonical.cleanliness import cleanliness
from feedward.urls.key import key
from feedward.urls.normalize import normalize_url as normalize_by_options
from feedward.urls.presets import preset_url
from feedward.urls.resolve import resolve_url
from feedward.urls.rewrites import probe_urls, rewrite_url
from feedward.urls.tracking import TRACKING_PARAMS

__all__ = ["cleanliness", "normalize_url", "preset_url", "probe_urls", "resolve_url", "rewrite_url", "same_key"]


def normalize_url(url: str, options: dict[str, Any]) -> str:
    return normalize_by_options(url, normalize_options(options, "options", TRACKING_PARAMS))


def same_key(urls: list[str]) -> bool:
    return len({key(url) for url in urls}) == 1
