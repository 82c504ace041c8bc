"""Builds the result of a run: the chosen URL, a known URL, or the reason why there is none (rules C9, C10)."""

from __future__ import annotations

from typing import Any

from feedward.canonical.cleanliness import is_cleaner, keeps_https, score
from feedward.canonical.fetch_results import is_temporary
from feedward.canonical.result import Candidate, CanonicalResult, Reason, Source, Step, What
from feedward.feeds.read_feed import FetchedFeed
from feedward.model import Known, Outcome
from feedward.services.canonicalize.canonicalization import Choice, Found, Run
from feedward.urls.key import key_or_text
from feedward.urls.safety import Refusal


def answer(run: Run) -> CanonicalResult:
    """Return the result with the best URL and its reason."""
    best = run.best
    return _result(
        run,
        url=best.url,
        reason=_reason(run, best),
        source=best.source,
        preset=best.preset,
        status=best.visit.fetch.status,
        outcome=best.visit.fetch.outcome,
        temporary_redirect=_came_by_temporary_redirect(run) or best.visit.temporary,
        proof=best.visit.fetch,
    )


def answer_known(run: Run, found: Found, *, source: Source | None = None) -> CanonicalResult:
    """Return the result with the stored URL from `exists`, which is trusted without a fetch.

    If this call proved a cleaner spelling of that URL, or any while the stored one fails, the result has it (rule H6).
    """
    feed_id = found.known.data.get("feed_id")
    return _result(
        run,
        url=_best_spelling(run, found.known),
        reason=Reason.EXISTS_IN_DB,
        source=source or found.source,
        preset=found.preset,
        known=found.known,
        feed_id=None if feed_id is None else str(feed_id),
        temporary_redirect=_came_by_temporary_redirect(run),
    )


def _best_spelling(run: Run, known: Known) -> str:
    same = [url for url in run.visits.landings() if key_or_text(url) == key_or_text(known.url)]
    is_lost = known.is_failing and known.url not in same
    is_better = keeps_https if is_lost else is_cleaner
    better = [url for url in same if is_better(url, known.url, run.options)]
    return max(better, key=lambda url: score(url, run.options), default=known.url)


def answer_refusal(run: Run, refusal: Refusal) -> CanonicalResult:
    """Return a result without URL: the input is not a URL, or may not be fetched."""
    reason = Reason.BAD_URL if refusal.outcome is Outcome.BAD_URL else Reason.UNSAFE_URL
    return _result(run, url=None, reason=reason, source=Source.INPUT, outcome=refusal.outcome, detail=refusal.detail)


def answer_failure(run: Run, fetched: FetchedFeed) -> CanonicalResult:
    """Return a result without URL: the first fetch failed, or its document is not a feed."""
    fetch, outcome, rejection = fetched.fetch, fetched.outcome, fetched.rejection
    detail = f"{rejection.reason}: {rejection.detail}".removesuffix(": ") if rejection else fetch.detail
    return _result(
        run,
        url=None,
        reason={Outcome.BLOCKED: Reason.UNSAFE_URL, Outcome.BAD_URL: Reason.BAD_URL}.get(outcome, Reason.ERROR),
        source=Source.INPUT,
        outcome=outcome,
        status=fetch.status,
        retry_after_s=fetch.retry_after_s,
        detail=detail,
        temporary_redirect=is_temporary(fetch.hops),
    )


def _reason(run: Run, best: Choice) -> Reason:
    """The reason of the result.

    It is `fallback` if the response URL is returned after a test failed or a better preset was not tested (rule C9).
    """
    if best.url != run.response:
        return best.reason
    doubtful = run.source == run.response and (run.failed or run.preset_untested)
    return Reason.FALLBACK if doubtful else Reason.RESPONSE_URL


def _came_by_temporary_redirect(run: Run) -> bool:
    return run.first is not None and run.first.temporary


def _result(run: Run, *, url: str | None, reason: Reason, source: Source, **more: Any) -> CanonicalResult:
    run.note(Step.ANSWER, What.ANSWERED, url, why=reason)
    more["detail"] = more.get("detail") or _cooldown_detail(run)
    return CanonicalResult(
        input=run.written,
        url=url,
        reason=reason,
        source=source,
        requests=run.visits.requests(),
        aliases=run.visits.aliases(),
        candidates=_candidates(run),
        self_url=run.self_url,
        document=run.document,
        trace=tuple(run.trace),
        debug=_debug(run) if run.options.debug else None,
        **more,
    )


def _cooldown_detail(run: Run) -> str:
    """The fetch's detail if a host was requested during its cooldown, otherwise an empty text."""
    fetch = run.first.fetch if run.first is not None else None
    return fetch.detail if fetch is not None and fetch.cooldown_until is not None else ""


def _candidates(run: Run) -> tuple[Candidate, ...]:
    """Return all candidate URLs, best score first."""
    found = [
        Candidate(url=url, score=score(url, run.options), source=source, preset=preset, state=run.state(url))
        for url, (source, preset) in run.considered.items()
    ]
    return tuple(sorted(found, key=lambda candidate: -candidate.score))


def _debug(run: Run) -> dict[str, Any]:
    requests = run.visits.requests()
    return {
        "input_url": run.input or None,
        "response_url": run.response or None,
        "self_url": run.self_url,
        "tested_urls": list(requests[1:]),
    }
