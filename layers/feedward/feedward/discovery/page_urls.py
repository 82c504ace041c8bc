"""References of one page -> URLs that may be fetched (spec D2): against its base, one bad one costs itself only."""

from __future__ import annotations

from urllib.parse import urldefrag

from feedward.urls.hosts import registrable_domain
from feedward.urls.parse import parse_http_url
from feedward.urls.resolve import resolve_url
from feedward.urls.safety import DEFAULT_POLICY, MAX_URL_CHARS, Refusal, UrlPolicy, admit_url, port_of

# Blanks, entities and dots may go when a reference is resolved, so a longer one can still make a URL.
_MAX_REFERENCE = 2 * MAX_URL_CHARS


class PageUrls:
    """Resolves a page's references. `page_url` is where it was found, `base` what they are relative to if not to that.

    A port that the page itself has been fetched from is as good as the usual ones.
    """

    def __init__(self, page_url: str, base: str | None = None) -> None:
        parsed = parse_http_url(page_url)
        self.page_url = urldefrag(parsed.href if parsed else page_url).url
        self.base_url = base or self.page_url
        ports = DEFAULT_POLICY.ports | ({port_of(parsed)} if parsed else set())
        self._policy = UrlPolicy(ports=frozenset(ports))
        self._hostname = parsed.hostname if parsed else ""

    def resolve(self, reference: str | None) -> str | None:
        """The absolute http(s) URL without fragment, or None where there is none that may be fetched."""
        reference = (reference or "").strip()
        if not reference or len(reference) > _MAX_REFERENCE:
            return None
        resolved = resolve_url(reference, self.base_url)
        admitted = admit_url(urldefrag(resolved).url, self._policy) if resolved else None
        return None if admitted is None or isinstance(admitted, Refusal) else admitted.href

    def elsewhere(self, reference: str | None) -> str | None:
        """Do what `resolve` does, but None for the page itself and for places in it."""
        if (reference or "#").lstrip()[:1] == "#":
            return None
        url = self.resolve(reference)
        return None if url == self.page_url else url

    def is_own(self, url: str) -> bool:
        """True if the URL's host is of the page's registrable domain."""
        parsed = parse_http_url(url)
        if parsed is None or parsed.hostname == self._hostname:
            return parsed is not None
        return registrable_domain(parsed.hostname) == registrable_domain(self._hostname)
