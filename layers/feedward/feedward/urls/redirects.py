"""Where a redirect leads, and whether it may be followed (security A6, T15; spec F1, F3, F4). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from feedward.model import Outcome
from feedward.urls.parse import Url, join_url
from feedward.urls.safety import (
    DEFAULT_POLICY,
    Refusal,
    UrlPolicy,
    admit_url,
    authority_of,
    has_forbidden_characters,
    is_public_address,
    request_url,
    without_feed_scheme,
)

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 5


def next_hop(
    current: Url,
    location: str | None,
    *,
    asked: Sequence[str],
    max_redirects: int = MAX_REDIRECTS,
    policy: UrlPolicy = DEFAULT_POLICY,
) -> Url | Refusal:
    """Resolve a Location against the URL that sent it: the URL to ask next, or why the chain ends here.

    `asked` holds every URL of the chain so far, `current` included, as serialized and without fragment. The outcomes of
    a refusal are `bad_redirect`, `redirect_loop`, `too_many_redirects` and `blocked`.
    """
    target = _resolve(current, location)
    if isinstance(target, Refusal):
        return target
    if request_url(target) in asked:
        return _refuse(Outcome.REDIRECT_LOOP, "the redirect leads to a URL that was asked before")
    if len(asked) > max_redirects:
        return _refuse(Outcome.TOO_MANY_REDIRECTS, f"more than {max_redirects} redirects")
    return _admit(target, policy)


def is_safe_chain(
    chain: Sequence[str],
    addresses: Sequence[Sequence[str]],
    *,
    max_redirects: int = MAX_REDIRECTS,
    policy: UrlPolicy = DEFAULT_POLICY,
) -> bool:
    """True if every hop of [first URL, each Location in order] may be fetched; `addresses` are each hop's answers."""
    if not chain or len(addresses) < len(chain):
        return False
    url = admit_url(without_feed_scheme(chain[0]), policy)
    asked: list[str] = []
    for location, answers in zip([*chain[1:], None], addresses, strict=False):
        if isinstance(url, Refusal) or not answers or not all(map(is_public_address, answers)):
            return False
        asked.append(request_url(url))
        if location is not None:
            url = next_hop(url, location, asked=asked, max_redirects=max_redirects, policy=policy)
    return True


def _resolve(current: Url, location: str | None) -> Url | Refusal:
    if location is None:
        return _refuse(Outcome.BAD_REDIRECT, "the redirect has no Location")
    reference = location.strip(" \t").replace(" ", "%20")
    if has_forbidden_characters(reference):
        return _refuse(Outcome.BAD_REDIRECT, "the Location has a control character or a backslash")
    if "@" in (authority_of(reference) or ""):
        return _refuse(Outcome.BLOCKED, "redirect refused: the Location has userinfo")
    return join_url(current, reference) or _refuse(Outcome.BAD_REDIRECT, "the Location is no URL")


def _admit(target: Url, policy: UrlPolicy) -> Url | Refusal:
    """A redirect to an invalid URL is the redirect's fault, not the row's (spec F4)."""
    admitted = admit_url(request_url(target), policy)
    if not isinstance(admitted, Refusal):
        return admitted
    outcome = Outcome.BAD_REDIRECT if admitted.outcome is Outcome.BAD_URL else admitted.outcome
    return replace(admitted, outcome=outcome, detail=admitted.detail.replace("URL", "redirect", 1))


def _refuse(outcome: Outcome, detail: str) -> Refusal:
    return Refusal(outcome=outcome, detail=detail)
