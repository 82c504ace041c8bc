"""The only URL parser of feedward: WHATWG, by can-ada (rule U4).

Lone surrogates, which JSON can contain, become U+FFFD as in a browser.
"""

from __future__ import annotations

from can_ada import URL as Url  # noqa: N811 - the name of the type here
from can_ada import parse

__all__ = ["Url", "is_http", "join_url", "parse_http_url", "parse_url", "scalar_text"]


def parse_url(text: str) -> Url | None:
    """Parse an absolute URL. Returns None on a failure by the WHATWG standard."""
    try:
        return parse(text)
    except ValueError:
        return None
    except TypeError:  # can-ada does not accept lone surrogates
        return parse_url(scalar_text(text)) if isinstance(text, str) else None


def parse_http_url(text: str) -> Url | None:
    """Parse an absolute http or https URL; None for anything else."""
    url = parse_url(text)
    return url if url is not None and is_http(url) else None


def join_url(base: Url, reference: str) -> Url | None:
    """Resolve `reference` against `base`. Returns None on a failure by the WHATWG standard."""
    try:
        return base + reference
    except ValueError:
        return None
    except TypeError:
        return join_url(base, scalar_text(reference))


def is_http(url: Url) -> bool:
    """Return whether feedward can fetch URLs of this scheme."""
    return url.protocol in ("https:", "http:")


def scalar_text(text: str) -> str:
    """Convert to a WHATWG USVString: surrogate pairs are joined, lone surrogates become U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
