"""Step 5 of the canonicalization: chooses the source, the proven URL for cleaner forms (rules C7.5, C11)."""

from __future__ import annotations

from feedward.canonical.cleanliness import cleaner_of, known_forms
from feedward.canonical.fetch_results import Visit, asked_urls
from feedward.canonical.result import CanonicalResult, Source, Step, What
from feedward.canonical.self_link import SelfLink, is_mutual, read_self_link, tries_declared_form
from feedward.services.canonicalize.answer import answer_known
from feedward.services.canonicalize.canonicalization import Run
from feedward.urls.key import key_or_text
from feedward.urls.rewrites import probe_urls, rewrite_url
from feedward.urls.safety import host_of_url


def validate_self(run: Run) -> CanonicalResult | None:
    """Fetch the declared self URL. If it serves the same feed, look up its landing URL and make it the source."""
    assert run.document is not None
    link = read_self_link(run.document.feed.self_url, run.response, run.options)
    run.self_url = link.url
    if not link.attempts:
        run.note(Step.SELF, What.SKIPPED, link.url, why=link.why)
        return None
    if _names_the_target(run, link):
        run.note(Step.SELF, What.SKIPPED, link.url, why="it names the target of a temporary redirect")
        return None
    visit = _fetch_self(run, link)
    if visit is None:
        return None
    run.consider(visit.landing, Source.SELF)
    found = run.ask_exists(Step.SELF, known_forms([visit.landing], run.options), Source.SELF)
    if found is not None:
        return answer_known(run, found)
    _adopt_self(run, visit)
    return None


def _names_the_target(run: Run, link: SelfLink) -> bool:
    """Return whether a stored answer has a self link that names only the target of the response's redirect (rule F2).

    It names that URL or its host, either of which the site may abandon at any time.
    """
    assert run.first is not None
    asked = asked_urls(run.first.asked, run.first.fetch)
    if not run.options.to_store or link.url is None or run.response not in asked:
        return False
    beyond = asked[asked.index(run.response) + 1 :]
    foreign = {host_of_url(url) for url in beyond} - {host_of_url(run.response)}
    return key_or_text(link.url) in map(key_or_text, beyond) or host_of_url(link.url) in foreign


def _fetch_self(run: Run, link: SelfLink) -> Visit | None:
    """The visit that found the feed at one form of the self link, or None."""
    for attempt in link.attempts:
        run.consider(attempt, Source.SELF)
        visit = run.test(attempt, Step.SELF)
        if visit is None:
            continue
        if visit.same:
            return visit
        if not tries_declared_form(link, visit.fetch):
            break
    return None


def _adopt_self(run: Run, visit: Visit) -> None:
    """Make the landing URL the source, unless both URLs name each other and the response is cleaner."""
    if _yields_to_response(run, visit):
        why = "both URLs name each other and the response is the cleaner one"
        run.note(Step.SELF, What.NOT_CHOSEN, visit.landing, why=why)
        return
    run.adopt_source(visit)
    run.source_role = Source.SELF


def _yields_to_response(run: Run, visit: Visit) -> bool:
    """Return whether the self URL's document names the response in turn and the response is the cleaner of the two."""
    there = visit.verdict.feed if visit.verdict else None
    if there is None or not is_mutual(there.self_url, visit.landing, run.response, run.options):
        return False
    return cleaner_of(visit.landing, run.response, run.options) == run.response


def try_rewrite(run: Run) -> CanonicalResult | None:
    """Apply the named rewrites to the landing URL. If the result serves the same feed, it becomes the source."""
    rewritten = rewrite_url(run.source, run.options.rewrites)
    if rewritten != run.source and _adopt_if_same(run, rewritten, Step.REWRITE):
        run.source_by_rule = True
    return None


def try_probes(run: Run) -> CanonicalResult | None:
    """Test the URLs that the named probes derive from the source. The first with the same feed becomes the source."""
    for candidate in probe_urls(run.source, run.options.probes):
        if _adopt_if_same(run, candidate, Step.PROBE):
            run.source_by_rule = True
            break
    return None


def _adopt_if_same(run: Run, url: str, step: Step) -> bool:
    run.consider(url, run.source_role)
    visit = run.test(url, step)
    if visit is None or not visit.same:
        return False
    run.consider(visit.landing, run.source_role)
    run.adopt_source(visit)
    return True
