"""Progressive canonicalization: finds one clean URL per feed by testing cleaner forms (rules C1 to C11).

Each step of rule C7 is a function of the run, listed in PHASES. The first step that returns a result ends the run.
"""

from __future__ import annotations

from collections.abc import Callable

from feedward.canonical.cleanliness import (
    Variant,
    has_as_clean_an_origin,
    is_at_least_as_clean,
    is_cleaner,
    known_forms,
    variants,
)
from feedward.canonical.fetch_results import Visit
from feedward.canonical.options import DEFAULT_OPTIONS, CanonicalizeOptions
from feedward.canonical.result import CanonicalResult, FirstDocument, Reason, Source, Step, What
from feedward.canonical.schemes import connection_failed, first_twin
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.feeds.read_feed import read_feed
from feedward.model import Outcome
from feedward.ports import Exists, Fetcher
from feedward.services.canonicalize.answer import answer, answer_failure, answer_known, answer_refusal
from feedward.services.canonicalize.canonicalization import Choice, Read, Run
from feedward.services.canonicalize.source_url import try_probes, try_rewrite, validate_self
from feedward.urls.compare import with_scheme, without_fragment, without_root_dot
from feedward.urls.resolve import resolve_input
from feedward.urls.rewrites import rewrite_url
from feedward.urls.safety import DEFAULT_POLICY, Refusal, UrlPolicy, refuse_userinfo


def canonicalize(
    url: str,
    *,
    fetcher: Fetcher,
    options: CanonicalizeOptions = DEFAULT_OPTIONS,
    exists: Exists | None = None,
    policy: UrlPolicy = DEFAULT_POLICY,
    deadline: Deadline = NO_DEADLINE,
    read: Read = read_feed,
) -> CanonicalResult:
    """Find the canonical URL of the feed at `url`, with its proof.

    `url` is the text that a person typed. `exists` looks up known URLs; its errors propagate. No behaviour of a server,
    a name or a URL raises an error. The call, `exists` aside, ends by the `deadline`, and then returns the best proven
    URL. `read` parses a fetch; callers that cache parsed documents pass their own.
    """
    run = Run(
        url,
        fetcher=fetcher,
        options=options,
        exists=exists,
        policy=policy,
        deadline=deadline,
        read=read,
    )
    for phase in PHASES:
        result = phase(run)
        if result is not None:
            return result
    return answer(run)


# --- 1: repair, refuse -----------------------------------------------------------------------------


def repair_input(run: Run) -> CanonicalResult | None:
    """Turn the input into a fetchable URL, rewrite it if requested, and refuse a URL that may not be fetched."""
    resolved = resolve_input(run.written)
    if resolved is None:
        return answer_refusal(run, Refusal(outcome=Outcome.BAD_URL, detail="this is not an http(s) URL"))
    given = rewrite_url(without_fragment(resolved.url), run.options.rewrites)
    run.input = without_root_dot(given)
    run.dotted = given if given != run.input else None
    run.may_be_http = resolved.may_be_http
    refusals = map(run.refusal, dict.fromkeys((resolved.url, run.input)))
    refusal = refuse_userinfo(run.written) or next(filter(None, refusals), None)
    if refusal is not None:
        return answer_refusal(run, refusal)
    run.consider(run.input, Source.INPUT)
    if run.input != run.written:
        run.note(Step.REPAIR, What.REPAIRED, run.input, why=run.written)
    return None


# --- 2: look up before fetching ------------------------------------------------------------------------


def check_before_fetch(run: Run) -> CanonicalResult | None:
    """With `check_before_fetch`, look up the input and its presets with `exists`."""
    if not run.options.check_before_fetch:
        return None
    found = run.ask_exists(Step.CHECK_BEFORE_FETCH, known_forms([run.input], run.options), Source.INPUT)
    return answer_known(run, found) if found else None


# --- 3: fetch --------------------------------------------------------------------------------------


def fetch_input(run: Run) -> CanonicalResult | None:
    """Fetch the input, or the same URL with the other scheme if the connection fails. It must be a feed."""
    visit = _fetch_first(run)
    fetched = run.read(visit.fetch)
    if fetched.feed is None:
        return answer_failure(run, fetched)
    run.start_from(visit, FirstDocument(fetch=visit.fetch, feed=fetched.feed, response_url=visit.landing))
    run.consider(run.response, Source.RESPONSE)
    return None


def _fetch_first(run: Run) -> Visit:
    """Fetch the input. Its host's dotted form is fetched only if the other one fails (rule C3)."""
    visit = _fetch_either_scheme(run, run.input)
    if run.dotted is None or visit.fetch.outcome is Outcome.OK or run.refusal(run.dotted):
        return visit
    dotted = _fetch_either_scheme(run, run.dotted)
    return dotted if dotted.fetch.outcome is Outcome.OK else visit


def _fetch_either_scheme(run: Run, url: str) -> Visit:
    visit = run.fetch(url, Step.FIRST_FETCH)
    twin = first_twin(url, may_be_http=run.may_be_http)
    if not connection_failed(visit.fetch) or twin is None or run.refusal(twin):
        return visit
    second = run.fetch(twin, Step.FIRST_FETCH)
    return visit if second.fetch.status is None else second


# --- 4: look up the response --------------------------------------------------------------------


def check_after_fetch(run: Run) -> CanonicalResult | None:
    """Look up the response, the input and their presets with `exists`."""
    if run.exists is None:
        return None
    forms = known_forms([run.response, run.input], run.options)
    found = run.ask_exists(Step.CHECK_AFTER_FETCH, forms, Source.RESPONSE)
    if found is None:
        return None
    of_response = known_forms([run.response], run.options)
    of_input_only = {form.url for form in forms} - {form.url for form in of_response}
    return answer_known(run, found, source=Source.INPUT if found.known.url in of_input_only else Source.RESPONSE)


# --- 6: the best so far ----------------------------------------------------------------------------


def choose_best(run: Run) -> CanonicalResult | None:
    """Choose the source, unless the response is better in anything but length."""
    assert run.first is not None
    response = Choice(url=run.response, reason=Reason.RESPONSE_URL, source=Source.RESPONSE, visit=run.first)
    run.choice = response
    if run.source == run.response:
        return None
    # Rewrites and probes change path and query on purpose, so only scheme and host are compared.
    as_clean = has_as_clean_an_origin if run.source_by_rule else is_at_least_as_clean
    if as_clean(run.source, run.response, run.options):
        run.choice = _choice(run, run.source_visit or run.first)
    loser = run.source if run.choice is response else run.response
    run.note(Step.BEST, What.NOT_CHOSEN, loser, why=f"{run.choice.url} is better")
    run.note(Step.BEST, What.CHOSEN, run.choice.url)
    return None


def _choice(run: Run, visit: Visit, preset: str | None = None) -> Choice:
    """The choice of the landing URL of `visit`. An earlier visit to that URL itself is the better proof."""
    known = run.visits.of(visit.landing)
    proof = known if known is not None and known.proves(visit.landing) else visit
    return Choice(url=proof.landing, reason=proof.reason, source=run.source_role, visit=proof, preset=preset)


# --- 7: cleaner forms ------------------------------------------------------------------------------


def try_variants(run: Run) -> CanonicalResult | None:
    """Test the source's presets, cleanest first, until one is not cleaner than the best URL."""
    forms = variants(run.source, run.options)
    for form in forms:
        run.consider(form.url, run.source_role, form.preset)
    for form in forms:
        if not is_cleaner(form.url, run.best.url, run.options):
            is_best = form.url == run.best.url
            why = "the best already" if is_best else f"not cleaner than {run.best.url}"
            run.note(Step.VARIANTS, What.STOPPED, form.url, why=why)
            break
        _try_variant(run, form)
    return None


def _try_variant(run: Run, form: Variant) -> None:
    """Choose the landing URL of a cleaner form if it is cleaner too. A URL that redirects is never chosen."""
    was_known = run.visits.of(form.url) is not None
    visit = run.test(form.url, Step.VARIANTS)
    if visit is None or not visit.same:
        return
    if is_cleaner(visit.landing, run.best.url, run.options):
        run.consider(visit.landing, run.source_role, form.preset)
        run.choice = _choice(run, visit, form.preset)
        run.note(Step.VARIANTS, What.CHOSEN, visit.landing)
        return
    run.failed = run.failed or not was_known
    run.note(Step.VARIANTS, What.NOT_CHOSEN, form.url, why=f"it redirects to {visit.landing}, which is not cleaner")


# --- 8: https --------------------------------------------------------------------------------------


def upgrade_https(run: Run) -> CanonicalResult | None:
    """If the best URL is http, test https. It is chosen only if its landing URL is https."""
    best = run.best
    if not run.options.prefer_https or not best.url.startswith("http:"):
        return None
    target = with_scheme(best.url, "https")
    run.consider(target, best.source, best.preset)
    was_known = run.visits.of(target) is not None
    visit = run.test(target, Step.UPGRADE_HTTPS)
    if visit is None or not visit.same:
        return None
    if not visit.landing.startswith("https:"):
        run.failed = run.failed or not was_known
        run.note(Step.UPGRADE_HTTPS, What.NOT_CHOSEN, target, why=f"it leads back to {visit.landing}")
        return None
    run.consider(visit.landing, best.source, best.preset)
    run.choice = Choice(
        url=visit.landing, reason=Reason.UPGRADE_HTTPS, source=best.source, visit=visit, preset=best.preset
    )
    run.note(Step.UPGRADE_HTTPS, What.CHOSEN, visit.landing)
    return None


PHASES: tuple[Callable[[Run], CanonicalResult | None], ...] = (
    repair_input,
    check_before_fetch,
    fetch_input,
    check_after_fetch,
    validate_self,
    try_rewrite,
    try_probes,
    choose_best,
    try_variants,
    upgrade_https,
)
