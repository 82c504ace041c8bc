"""Resolves redirects and decides whether they may be followed (rules A6, N15, F1, F3, F4). Pure."""

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
    request_url,
)

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 5


def redirect_limit(fetcher: object) -> int:
    """Return how many redirects a fetcher follows: the setting of the deployment, or the usual number (rule F3)."""
    limit: int = getattr(fetcher, "max_redirects", MAX_REDIRECTS)
    return limit


def next_hop(
    current: Url,
    location: str | None,
    *,
    asked: Sequence[str],
    max_redirects: int = MAX_REDIRECTS,
    policy: UrlPolicy = DEFAULT_POLICY,
) -> Url | Refusal:
    """Resolve a Location against the URL that sent it. Returns the URL to request next, or why the chain ends.

    `asked` holds every URL of the chain so far, `current` included, serialized and without fragment. The outcomes of a
    refusal are `bad_redirect`, `redirect_loop`, `too_many_redirects` and `blocked`.
    """
    target = _resolve(current, location)
    if isinstance(target, Refusal):
        return target
    if request_url(target) in asked:
        return _refuse(Outcome.REDIRECT_LOOP, "the redirect leads to a URL that was requested before")
    if len(asked) > max_redirects:
        return _refuse(Outcome.TOO_MANY_REDIRECTS, f"more than {max_redirects} redirects")
    return _admit(target, policy)


def _resolve(current: Url, location: str | None) -> Url | Refusal:
    if location is None:
        return _refuse(Outcome.BAD_REDIRECT, "the redirect has no Location")
    reference = location.strip(" \t").replace(" ", "%20")
    if has_forbidden_characters(reference):
        return _refuse(Outcome.BAD_REDIRECT, "the Location has a control character or a backslash")
    if "@" in (authority_of(reference) or ""):
        return _refuse(Outcome.BLOCKED, "redirect refused: the Location has userinfo")
    return join_url(current, reference) or _refuse(Outcome.BAD_REDIRECT, "the Location is not a URL")


def _admit(target: Url, policy: UrlPolicy) -> Url | Refusal:
    """Apply the guard to the target. An invalid target is a `bad_redirect`, not a `bad_url` of the row (rule F4)."""
    admitted = admit_url(request_url(target), policy)
    if not isinstance(admitted, Refusal):
        return admitted
    outcome = Outcome.BAD_REDIRECT if admitted.outcome is Outcome.BAD_URL else admitted.outcome
    return replace(admitted, outcome=outcome, detail=admitted.detail.replace("URL", "redirect", 1))


def _refuse(outcome: Outcome, detail: str) -> Refusal:
    return Refusal(outcome=outcome, detail=detail)
