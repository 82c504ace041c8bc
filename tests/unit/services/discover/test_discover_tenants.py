"""Discoveries of several tenants: nothing of one leads to the other, though sites are shared (rules I8, TN7, TN10)."""

from __future__ import annotations

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.errors import NotFound
from feedward.services.canonicalize.register import canonicalize_and_register
from feedward.services.discover.discover_site import answer_discovery, run_job
from feedward.services.discover.read_sites import find_job, find_site
from feedward.services.subscribe.discover import discover_for_subscription
from feedward.services.subscribe.subscribe import find_subscription, subscribe
from tests.callers import of_tenant
from tests.fakes.directory import NOW, FakeDirectory
from tests.unit.services.discover.blog import FEED, HOME, document, page, site, slow_site

ACME, ZULU = of_tenant("acme"), of_tenant("zulu")
TOKEN = "https://blog.example.com/feed?token=9f3a71c2d4e5b6a7"


def test_a_job_is_known_to_its_tenant_only_and_each_has_one_that_ends_in_the_same_feed() -> None:
    directory = slow_site()
    jobs = {}
    for caller in (ACME, ZULU, SELF_HOSTED):
        answer = answer_discovery(caller, HOME, directory=directory)
        assert answer.job is not None
        jobs[caller.tenant_id] = answer.job.job_id
    assert len(set(jobs.values())) == 3
    done = {tenant: run_job(job_id, directory=directory) for tenant, job_id in jobs.items()}
    assert len({answer.site.site.feed_id for answer in done.values() if answer}) == 1
    for caller in (ACME, ZULU, SELF_HOSTED):
        for tenant, job_id in jobs.items():
            if tenant == caller.tenant_id:
                assert find_job(caller, job_id, directory=directory).job.job_id == job_id
            else:
                with pytest.raises(NotFound):
                    find_job(caller, job_id, directory=directory)


@pytest.mark.parametrize("caller", [ACME, SELF_HOSTED])
def test_the_site_of_a_url_with_a_token_is_shown_to_its_tenant(caller: object) -> None:
    directory = FakeDirectory(site() | {f"{HOME}?token=9f3a71c2d4e5b6a7": site()[HOME]})
    owner = ACME if caller is ACME else SELF_HOSTED
    answer = answer_discovery(owner, f"{HOME}?token=9f3a71c2d4e5b6a7", directory=directory)
    assert find_site(owner, answer.site.site.site_id, directory=directory).site.site == answer.site.site
    with pytest.raises(NotFound):
        find_site(ZULU, answer.site.site.site_id, directory=directory)


def test_a_shared_site_leads_no_tenant_to_a_feed_with_a_token_that_is_anothers() -> None:
    directory = FakeDirectory({HOME: page(TOKEN), TOKEN: document(TOKEN)})
    own = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert own.site.site.feed_id is not None

    answers = [
        answer_discovery(ACME, HOME, directory=directory).site,
        answer_discovery(ACME, HOME, refresh=True, directory=directory).site,
        find_site(ACME, own.site.site.site_id, directory=directory).site,
    ]

    for found in answers:
        assert found is not None
        assert (found.site.feed_id, {each.feed_id for each in found.candidates}) == (None, {None})
    assert len(directory.contents.live()) == 1


def test_a_subscriber_to_a_site_whose_feed_has_a_token_gets_a_private_feed() -> None:
    directory = FakeDirectory({HOME: page(TOKEN), TOKEN: document(TOKEN)})
    feeds = {}
    for caller in (SELF_HOSTED, ACME, ZULU):
        made = subscribe(caller, HOME, ports=directory).subscription
        detail = [each for each in directory.bus.details if each.get("subscription_id") == made.subscription_id][-1]
        discover_for_subscription(detail, directory=directory)
        found = find_subscription(caller, made.subscription_id, ports=directory)
        assert (found.status, found.feed_id is None) == ("ready", False)
        feeds[caller.tenant_id] = directory.contents.feeds()[found.feed_id or ""].get("owner")
    assert feeds == {None: None, "acme": "acme", "zulu": "zulu"}


def test_a_feed_of_the_deployments_own_user_is_unknown_to_tenants_by_any_of_its_urls() -> None:
    directory = FakeDirectory({FEED: {"status": 302, "headers": {"Location": TOKEN}}, TOKEN: document(TOKEN)})
    own = canonicalize_and_register(TOKEN, fetcher=directory.fetcher, store=directory.store, now=NOW)
    assert own.feed_id is not None
    for url in (FEED, TOKEN):
        found = canonicalize_and_register(
            url, fetcher=directory.fetcher, store=directory.store, now=NOW, tenant_id="acme"
        )
        assert found.feed_id != own.feed_id
    assert {feed.get("owner") for feed in directory.contents.live().values()} >= {None, "acme"}
