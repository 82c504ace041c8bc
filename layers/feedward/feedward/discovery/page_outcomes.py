"""What the fetch of a page means for a discovery (spec D4, H1). Pure."""

from __future__ import annotations

from feedward.discovery.result import DiscoveryOutcome
from feedward.model import FetchResult, Outcome

_REFUSALS = frozenset({Outcome.FORBIDDEN, Outcome.RATE_LIMITED, Outcome.CHALLENGE})
_CLOSED = _REFUSALS | {Outcome.UNAUTHORIZED, Outcome.LEGAL}
_NO_HOST = frozenset({Outcome.DNS_ERROR, Outcome.CONNECT_ERROR, Outcome.TLS_ERROR})
# The server answered, if only that nothing is there: the site let itself be looked at.
_LOOKED_AT = frozenset(
    {
        *(Outcome.OK, Outcome.NOT_FEED, Outcome.EMPTY_BODY, Outcome.NOT_FOUND, Outcome.GONE, Outcome.CLIENT_ERROR),
        *(Outcome.TOO_LARGE, Outcome.UNEXPECTED_STATUS, Outcome.UNEXPECTED_304, Outcome.NOT_MODIFIED),
        *(Outcome.BAD_ENCODING, Outcome.GENERATOR_ERROR),
    }
)


def is_refusal(fetch: FetchResult) -> bool:
    """Tell whether the server refuses who asks, so that another User-Agent may be welcome (D4)."""
    return fetch.outcome in _REFUSALS or fetch.status == 503


def is_closed(fetch: FetchResult) -> bool:
    """Tell whether something may be there that is not for us: refused, behind a login, withheld."""
    return fetch.outcome in _CLOSED or is_refusal(fetch)


def is_hopeless(outcome: Outcome) -> bool:
    """Tell whether nothing else of the same host needs to be asked: it is not there, or it may not be dialled."""
    return outcome in _NO_HOST or outcome in (Outcome.BLOCKED, Outcome.BAD_URL)


def without_a_feed(fetch: FetchResult) -> DiscoveryOutcome:
    """How a discovery ends that found no feed, by what became of its page."""
    if fetch.outcome is Outcome.BLOCKED:
        return DiscoveryOutcome.BLOCKED
    if fetch.outcome is Outcome.BAD_URL:
        return DiscoveryOutcome.BAD_URL
    if is_closed(fetch):
        return DiscoveryOutcome.REFUSED
    return DiscoveryOutcome.NO_FEED if fetch.outcome in _LOOKED_AT else DiscoveryOutcome.UNREACHABLE
