"""Code of another normalization version, for a while: pages that are collected under it have that version."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from feedward.lineage.version import CURRENT, NormalizationVersion

# Of code before this, and after it.
OLDER = "http_snapshot_url_v1_text_v0.9"
LATER = str(CURRENT.bump("text", "breaking"))
_NAMED_IN = ("caches", "fetch_page")


@contextmanager
def code_of(version: str) -> Iterator[None]:
    """Inside it, the code makes items of this version."""
    with ExitStack() as patches:
        patches.enter_context(patch("feedward.lineage.version.CURRENT", NormalizationVersion.parse(version)))
        for place in _NAMED_IN:
            patches.enter_context(patch(f"feedward.services.collect.{place}.CURRENT_VERSION", version))
        yield
