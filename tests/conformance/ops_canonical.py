"""Conformance op of the canonicalization: JSON to the service and back. No logic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from feedward.api.canonicalize import normalize_options
from feedward.canonical.options import CanonicalizeOptions
from feedward.model import Known
from feedward.ports import Exists
from feedward.services.canonicalize.canonicalize import canonicalize as canonicalize_url
from feedward.urls.normalize import NormalizeOptions
from feedward.urls.tracking import TRACKING_PARAMS
from tests.fakes.fetcher import FakeFetcher

__all__ = ["canonicalize"]

_PLAIN = {"use_signature", "max_requests", "check_before_fetch", "prefer_https", "prefer_no_www", "debug"}


def canonicalize(url: str, network: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Run one case: `network` is the internet, `options` hold those of the call, `existing` and `dns`."""
    result = canonicalize_url(
        url,
        fetcher=FakeFetcher(network, dns=options.get("dns")),
        options=_options(options),
        exists=_exists(options["existing"]) if "existing" in options else None,
    )
    return {
        "url": result.url,
        "reason": result.reason,
        "source": result.source,
        "preset": result.preset,
        "outcome": result.outcome,
        "status": result.status,
        "retry_after_s": result.retry_after_s,
        "requests": list(result.requests),
        "request_count": result.request_count,
        "temporary_redirect": result.temporary_redirect,
        "aliases": list(result.aliases),
        "feed_id": result.feed_id,
        "candidates": [{"url": each.url, "score": each.score, "preset": each.preset} for each in result.candidates],
        "debug": result.debug,
    }


def _options(given: Mapping[str, Any]) -> CanonicalizeOptions:
    chosen: dict[str, Any] = {name: given[name] for name in given.keys() & _PLAIN}
    chosen |= {name: tuple(given[name]) for name in given.keys() & {"rewrites", "probes"}}
    if "tracking_params" in given:
        chosen["tracking_params"] = frozenset(given["tracking_params"])
    if "presets" in given:
        chosen["presets"] = tuple(_preset(preset) for preset in given["presets"])
    return CanonicalizeOptions(**chosen)


def _preset(given: str | Mapping[str, Any]) -> str | NormalizeOptions:
    return given if isinstance(given, str) else normalize_options(given, "presets", TRACKING_PARAMS)


def _exists(existing: Sequence[str] | Mapping[str, Any]) -> Exists:
    def exists(urls: Sequence[str]) -> Known | None:
        return next((_known(url, existing) for url in urls if url in existing), None)

    return exists


def _known(url: str, existing: Sequence[str] | Mapping[str, Any]) -> Known:
    if not isinstance(existing, Mapping):
        return Known(url=url)
    stored = existing[url]
    return (
        Known(url=stored) if isinstance(stored, str) else Known(url=stored.get("url", url), data=stored.get("data", {}))
    )
