"""Recognizes a search for a pasted address, and its possible spellings in the registry (rule Q3). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from feedward.search.address_tokens import without_wrapping
from feedward.urls.hosts import is_ip_address, is_single_label, without_www
from feedward.urls.presets import PRESETS, preset_url
from feedward.urls.resolve import resolve_url

_CHARACTERS_AT_MOST: Final = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedAddress:
    """An address as search text. `host` is None for the address of a page or a feed."""

    spellings: tuple[str, ...]
    host: str | None


def pasted_address(text: str) -> PastedAddress | None:
    """Return the address in a search text, or None for words. A host must contain a dot."""
    pasted = without_wrapping(text.strip())
    if not pasted or len(pasted) > _CHARACTERS_AT_MOST or any(map(str.isspace, pasted)) or "." not in pasted:
        return None
    url = resolve_url(pasted)
    if url is None:
        return None
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    if is_single_label(host) or ":" in host:
        return None
    is_host_alone = parts.path in ("", "/") and not parts.query
    return PastedAddress(spellings=_spellings(url, host), host=without_www(host) if is_host_alone else None)


def _spellings(url: str, host: str) -> tuple[str, ...]:
    """The URL as pasted, with and without www (except IP addresses), and its cleaner forms: the best guess first."""
    bare = without_www(host)
    other = f"www.{bare}" if bare == host else bare
    forms = (url,) if is_ip_address(host) else (url, url.replace(host, other, 1))
    return tuple(dict.fromkeys([*forms, *(preset_url(form, name) for form in forms for name in PRESETS)]))
