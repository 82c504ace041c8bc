"""Checks of feeds with a hub: they subscribe, learn from pushes, move no slot, and cost others nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from feedward.push.push_record import SubscriptionState, Trust
from feedward.scheduling.slots import Place, Slot
from feedward.services.check.check_feed import check_feed
from tests.fakes.push import HUB, FakePush
from tests.unit.services.check.checked import HOUR, URL, Checked, page, rss

LINK = "https://hub.example/by-header"
MINUTE = 60


def hub_of(url: str = HUB) -> str:
    return f'<link xmlns="http://www.w3.org/2005/Atom" rel="hub" href="{url}"/>'


class Pushed(Checked):
    """A feed whose deployment has push."""

    def __init__(self, network: dict[str, Any], *urls: str, scope: str = "") -> None:
        super().__init__(network, *urls, scope=scope)
        self.push = FakePush(self.directory)
        self.hub = self.push.hub()
        self.ports = replace(self.ports, push=self.push.trusts)

    def check_pushed(self) -> Any:
        """Check the feed at the request of a push."""
        due = replace(self.due(), pushed_at=self.directory.clock.now())
        answer = check_feed(due, ports=self.ports)
        self.checks.append(answer)
        return answer

    def publish(self, *items: str) -> None:
        self.network[URL] = page(rss(*items, more=hub_of()))


def with_hub(*items: str, **members: Any) -> dict[str, Any]:
    return {URL: page(rss(*items, more=hub_of()), **members)}


def test_a_check_that_reads_a_document_with_a_hub_has_the_feed_subscribed() -> None:
    feed = Pushed(with_hub("a"))
    feed.publish("b", "a")

    feed.check(after=2 * HOUR)
    feed.push.drive()

    assert [each.topic for each in feed.hub.asked] == [URL]
    assert feed.push.record(feed.feed_id).state is SubscriptionState.VERIFIED


def test_the_hubs_of_a_link_header_come_before_those_of_the_document() -> None:
    feed = Pushed(with_hub("a"))
    self_url = "https://example.com/other.xml"
    link = f'<{LINK}>; rel="hub"; title="a, b", <{self_url}>; rel=self'
    feed.network[URL] = page(rss("b", "a", more=hub_of()), headers={"Link": link})

    feed.check(after=2 * HOUR)

    record = feed.push.record(feed.feed_id)
    assert (record.hub, record.hubs) == (LINK, (LINK,))
    assert record.topics == (URL,)  # the header's self link is not one of the feed's proven URLs
    assert feed.item("META")["hub_urls"] == [LINK]


def test_a_hub_that_only_an_entry_names_is_none() -> None:
    feed = Pushed({URL: page(rss("a"))})
    entry = f"<item><guid>urn:b</guid><title>On b</title>{hub_of()}</item>"
    feed.network[URL] = page(rss("a").replace("</channel>", f"{entry}</channel>"))

    feed.check(after=2 * HOUR)

    assert feed.push.ports.store.get(feed.feed_id) is None


def test_an_unchanged_check_of_a_feed_with_a_hub_calls_no_store_for_push() -> None:
    feed = Pushed(with_hub("a", etag='"1"'))
    feed.publish("b", "a")
    feed.check(after=2 * HOUR)
    feed.push.drive()
    calls = feed.directory.faults.calls
    calls.clear()

    for _ in range(5):
        feed.check_when_due()

    assert set(calls) <= {"update_item"}  # a heartbeat
    assert len(calls) <= 1


def test_a_private_feed_is_not_subscribed() -> None:
    feed = Pushed(with_hub("a"), scope="tenant")
    feed.publish("b", "a")

    feed.check(after=2 * HOUR)
    feed.push.drive()

    assert feed.hub.asked == []


def test_a_feed_that_its_hub_tells_first_is_checked_less_often_and_after_each_push() -> None:
    feed = Pushed(with_hub("a"))
    feed.publish("b", "a")
    feed.check(after=2 * HOUR)
    feed.push.drive()
    for number in range(2):
        feed.directory.clock.advance(10 * MINUTE)
        feed.publish(f"c{number}", "b", "a")
        feed.hub.publish(URL)
        answer = feed.check_pushed()
        assert answer.push is not None
        assert answer.push.told_after_s == 0
        assert answer.new_items == 1

    record = feed.push.record(feed.feed_id)
    assert (record.trust, record.told) == (Trust.TRUSTED, 2)
    assert feed.due().health.push_every == 4 * record.every
    feed.directory.clock.advance(10 * MINUTE)
    feed.check_pushed()
    assert feed.due().place.slot is not None or feed.due().place.from_s > feed.directory.clock.now()


def test_a_check_that_a_push_asked_for_leaves_the_slot_as_it_is() -> None:
    feed = Pushed(with_hub("a"))
    feed.check(after=2 * HOUR)
    slot = Slot(every=60, phase=(feed.directory.clock.now() // 60 + 3) % 60)  # due in three minutes
    place = Place(slot=slot, from_s=feed.directory.clock.now())
    feed.directory.contents.put_feed_item(
        **{
            name: value
            for name, value in feed.feed.items()
            if name not in ("next_check_at", "due_shard", "slot", "slot_from")
        },
        slot=slot.key,
        slot_from=place.from_s,
    )
    feed.publish("b", "a")

    answer = feed.check_pushed()

    assert answer.new_items == 1
    assert feed.due().place.slot == slot
    assert feed.due().place.next_at(feed.directory.clock.now()) <= feed.directory.clock.now() + 4 * MINUTE


def test_news_that_a_poll_finds_is_put_against_the_hub_only_if_the_feed_trusts_it() -> None:
    feed = Pushed(with_hub("a"))
    feed.publish("b", "a")
    feed.check(after=2 * HOUR)
    feed.push.drive()
    feed.directory.clock.advance(HOUR)
    feed.publish(f"c@{feed.directory.clock.now() - 1800}", "b", "a")
    answer = feed.check(after=0)

    assert answer.push is None
    assert feed.push.record(feed.feed_id).untold_at is None


def test_a_deployment_without_push_subscribes_nothing() -> None:
    feed = Checked(with_hub("a"))
    feed.network[URL] = page(rss("b", "a", more=hub_of()))

    feed.check(after=2 * HOUR)

    assert not [item for item in feed.directory.contents.everything() if item.get("sk") == "PUSH"]


def test_where_push_was_turned_off_a_feed_has_its_own_class_back_with_its_next_check() -> None:
    feed = Checked(with_hub("a", etag='"1"'))
    feed.check(after=2 * HOUR)
    pushed = {**feed.feed, "failures": {"push_every": 1440}}
    feed.directory.contents.put_feed_item(**pushed)

    feed.check(after=24 * HOUR)

    assert feed.due().health.push_every is None


def test_the_news_of_a_push_counts_though_the_feed_got_another_place_meanwhile() -> None:
    feed = Pushed(with_hub("a"))
    pushed = replace(feed.due(), pushed_at=feed.directory.clock.now())
    moved = {**feed.feed, "rev": feed.feed["rev"] + 1}
    for name in ("slot", "slot_from"):
        moved.pop(name, None)
    feed.directory.contents.put_feed_item(**{**moved, "next_check_at": feed.directory.clock.now() + 7 * HOUR})
    feed.publish("b", "a")

    asked_by_hub, scheduled = feed.check(pushed, after=60), feed.check(replace(pushed, pushed_at=None))

    assert (asked_by_hub.disposition, asked_by_hub.new_items) == ("applied", 1)
    assert scheduled.disposition == "dropped"
