"""Resolves the references of one page to URLs that may be fetched (rule D2). An invalid one does not affect others."""

from __future__ import annotations

from urllib.parse import urldefrag

from feedward.model import Outcome
from feedward.urls.hosts import registrable_domain
from feedward.urls.parse import parse_http_url
from feedward.urls.resolve import resolve_url
from feedward.urls.safety import DEFAULT_POLICY, MAX_URL_CHARS, Refusal, UrlPolicy, admit_url, port_of, refuse_userinfo

# Resolving a reference may remove blanks, entities and dots, so a longer one can still make a URL.
_MAX_REFERENCE = 2 * MAX_URL_CHARS


class PageUrls:
    """Resolves a page's references. `page_url` is its URL; `base` is the base of relative references if it differs.

    A port that the page itself was fetched from is accepted like the default ports.
    """

    def __init__(self, page_url: str, base: str | None = None) -> None:
        parsed = parse_http_url(page_url)
        self.page_url = urldefrag(parsed.href if parsed else page_url).url
        self.base_url = base or self.page_url
        ports = DEFAULT_POLICY.ports | ({port_of(parsed)} if parsed else set())
        self._policy = UrlPolicy(ports=frozenset(ports))
        self._hostname = parsed.hostname if parsed else ""

    def resolve(self, reference: str | None) -> str | None:
        """The absolute http(s) URL without fragment, or None if there is none that may be fetched."""
        url = self._absolute(reference)
        return url if url and not isinstance(admit_url(url, self._policy), Refusal) else None

    def elsewhere(self, reference: str | None) -> str | None:
        """Resolve as `resolve` does, but return None for the page itself and its fragments."""
        if (reference or "#").lstrip()[:1] == "#":
            return None
        url = self.resolve(reference)
        return None if url == self.page_url else url

    def is_itself(self, reference: str) -> bool:
        """True for a reference to the page itself, also an empty one, but not for a fragment of it (`#`)."""
        reference = reference.strip()
        if reference[:1] == "#":
            return False
        return (self._absolute(reference) if reference else urldefrag(self.base_url).url) == self.page_url

    def candidate(self, reference: str | None) -> str | None:
        """Resolve as `elsewhere` does, but keep a URL that is refused only for its address or port (rule D1).

        Its refusal is reported. A URL with credentials is never kept.
        """
        url = None if (reference or "#").lstrip()[:1] == "#" else self._absolute(reference)
        if url is None or url == self.page_url or refuse_userinfo(url) is not None:
            return None
        admitted = admit_url(url, self._policy)
        is_unusable = isinstance(admitted, Refusal) and admitted.outcome is not Outcome.BLOCKED
        return None if is_unusable else url

    def _absolute(self, reference: str | None) -> str | None:
        reference = (reference or "").strip()
        resolved = resolve_url(reference, self.base_url) if 0 < len(reference) <= _MAX_REFERENCE else None
        parsed = parse_http_url(urldefrag(resolved).url) if resolved else None
        return parsed.href if parsed else None

    def is_own(self, url: str) -> bool:
        """True if the URL's host is of the page's registrable domain."""
        parsed = parse_http_url(url)
        if parsed is None or parsed.hostname == self._hostname:
            return parsed is not None
        return registrable_domain(parsed.hostname) == registrable_domain(self._hostname)
