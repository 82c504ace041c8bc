"""Exports that are the answer itself: their contents, and that importing them changes nothing (rules EX4, EX6)."""

from __future__ import annotations

import json
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization

from feedward.access.caller import SELF_HOSTED
from feedward.errors import SearchUnavailable, StoreUnavailable
from feedward.exports.job import ExportStatus
from feedward.intake.job import Target
from feedward.model import FeedState
from feedward.services.directory.decide_topics import decide_topics
from feedward.topics.closed_list import normal_topic
from feedward.ulid import derived_ulid
from tests.fakes.directory import NOW, FakeClock
from tests.fakes.export_files import FakeKms, fake_signer
from tests.unit.services.export.exporting import Exporting, FoundFeeds

TOKEN = "https://feeds.example/rss?token=s3cr3t-0123456789abcdef"


@pytest.fixture
def directory() -> Exporting:
    directory = Exporting()
    directory.feed("tea", category="Food", description="Leaves & water")
    directory.feed("rail", category="Trains", title="=Rails")
    directory.feed("own", scope="tenant")
    return directory


def urls(text: str) -> list[str]:
    return sorted(each["url"] for each in json.loads(text))


def test_everything_is_the_shared_directory_without_private_feeds(directory: Exporting) -> None:
    assert urls(directory.text("json")) == ["https://rail.example/feed", "https://tea.example/feed"]
    assert urls(directory.text("json", tenant="tenant")) == urls(directory.text("json"))


def test_topic_and_state_filter(directory: Exporting) -> None:
    assert urls(directory.text("json", topic="food")) == ["https://tea.example/feed"]
    assert urls(directory.text("json", topic=normal_topic("Trains"))) == ["https://rail.example/feed"]
    assert urls(directory.text("json", state=FeedState.HEALTHY)) == urls(directory.text("json"))
    assert urls(directory.text("json", state=FeedState.PAUSED)) == []
    assert urls(directory.text("json", topic="food", state=FeedState.PAUSED)) == []


def test_a_search_is_exported_page_by_page_and_filtered_again(directory: Exporting) -> None:
    ids = [directory.feed(f"n{number}", category="Food") for number in range(5)]
    private = directory.feed("mine", scope="tenant")
    directory.search_index = FoundFeeds([*reversed(ids), private])

    text = directory.text("json", q="number", topic="food")

    assert urls(text) == [f"https://n{number}.example/feed" for number in range(5)]
    assert {asked for asked, _ in directory.search_index.asked} == {"number"}
    assert {filters.topic for _, filters in directory.search_index.asked} == {"Food"}


def test_without_an_index_a_search_is_refused_and_not_an_empty_file(directory: Exporting) -> None:
    class Away:
        def search(self, *_: object, **__: object) -> None:
            raise SearchUnavailable("none")

    directory.search_index = Away()

    with pytest.raises(SearchUnavailable):
        directory.text("json", q="tea")


class SlowClock(FakeClock):
    """A clock on which each attempt of the store takes five seconds."""

    def monotonic(self) -> float:
        self.advance(5.0)
        return super().monotonic()


@pytest.mark.parametrize("query", [{}, {"topic": "food"}, {"q": "tea"}, {"tag": ""}])
def test_an_export_is_a_job_if_even_its_first_feed_takes_too_long(directory: Exporting, query: dict[str, str]) -> None:
    directory.imported(OPML)
    directory.search_index = FoundFeeds([derived_ulid(NOW, f"n{number}") for number in range(60)])
    directory.clock = SlowClock()

    job = directory.job("json", **query).job

    assert job.status is ExportStatus.WAITING
    assert [getattr(message, "job_id", None) for message in directory.frontier_queue.take()] == [job.export_id]


def test_a_store_that_fails_in_time_is_an_error_and_no_job(directory: Exporting) -> None:
    class Away:
        def within(self, _deadline: object) -> Away:
            return self

        def in_order(self, *_: object, **__: object) -> Iterator[None]:
            raise StoreUnavailable("none")

    directory.exported_feeds = Away()  # type: ignore[assignment]

    with pytest.raises(StoreUnavailable):
        directory.text("json")


def test_a_seed_has_its_category_and_texts(directory: Exporting) -> None:
    [tea] = json.loads(directory.text("json", topic="food"))

    assert tea == {
        "title": "Tea",
        "url": "https://tea.example/feed",
        "site_url": "https://tea.example/",
        "category": "Food",
        "language": "en",
        "description": "Leaves & water",
    }


def test_merged_feeds_are_there_once(directory: Exporting) -> None:
    directory.feed("again", url="https://tea.example/feed")

    assert urls(directory.text("json")).count("https://tea.example/feed") == 1


# --- a tenant's own --------------------------------------------------------------------------------------


OPML = """<opml version="2.0"><body>
<outline text="News"><outline text="World"><outline text="My tea" xmlUrl="https://tea.example/feed"/></outline>
<outline text="=Rails" xmlUrl="https://rail.example/feed"/></outline>
<outline text="Daily"><outline text="My tea" xmlUrl="https://tea.example/feed"/></outline>
<outline text="Pending &amp; new" xmlUrl="https://new.example/rss" htmlUrl="https://new.example/"/>
<outline xmlUrl="https://untitled.example/rss"/>
</body></opml>"""


@pytest.mark.parametrize("form", ["opml", "json", "csv"])
def test_an_export_imports_to_the_same_state_and_the_same_bytes(directory: Exporting, form: str) -> None:
    directory.imported(OPML)
    file = directory.exported(form, tag="")
    other = Exporting()
    other.feed("tea", category="Food", description="Leaves & water")
    other.feed("rail", category="Trains", title="=Rails")

    other.imported(file.body, into=Target.SUBSCRIPTIONS)

    assert other.exported(form, tag="").body == file.body
    tags = {each.title: each.tags for each in other.subscribed()}
    assert tags["My tea"] == ("Daily", "News/World")
    assert {each.url for each in other.subscribed()} == {each.url for each in directory.subscribed()}


def test_importing_the_own_export_changes_nothing(directory: Exporting) -> None:
    directory.imported(OPML)
    before = {each.subscription_id: (each.title, set(each.tags)) for each in directory.subscribed()}

    done = directory.imported(directory.exported("opml", tag="").body)

    assert done.counts.joined == done.counts.entries
    assert {each.subscription_id: (each.title, set(each.tags)) for each in directory.subscribed()} == before


def test_a_seed_file_of_the_directory_seeds_another_one_to_the_same_bytes(directory: Exporting) -> None:
    file = directory.exported("json").body
    other = Exporting()

    other.imported(file)

    assert other.exported("json").body == file
    assert urls(other.text("json", topic="food")) == ["https://tea.example/feed"]


def test_a_seed_approves_its_category_for_a_feed_that_is_there_unless_a_person_rejected_it(
    directory: Exporting,
) -> None:
    tea, rail = directory.feed("bare"), directory.feed("other")
    decide_topics(SELF_HOSTED, rail, reject=["Food"], ports=directory)
    seed = [{"url": f"https://{name}.example/feed", "category": "Cooking"} for name in ("bare", "other")]

    for _ in range(2):
        assert directory.imported(json.dumps(seed)).counts.joined == 2

    found = {
        feed.feed_id: feed.has_topic("food")
        for feed in directory.feed_reader.feeds([tea, rail], tenant_id=None).values()
    }
    assert found == {tea: True, rail: False}
    actions = [row["action"] for row in directory.contents.under(tea, "AUDIT#")]
    assert actions.count("topics_seeded") == 1


def test_a_tag_takes_its_folders_too(directory: Exporting) -> None:
    directory.imported(OPML)

    def names(tag: str) -> list[str]:
        return [each["title"] for each in json.loads(directory.text("json", tag=tag))]

    assert names("News") == ["=Rails", "My tea"]
    assert names("News/World") == ["My tea"]
    assert names("New") == []


def test_the_own_export_counts_private_addresses_and_has_them_whole(directory: Exporting) -> None:
    directory.imported(f'<opml><body><outline text="Mine" xmlUrl="{TOKEN}"/></body></opml>', tenant="tenant")

    done = directory.exported("csv", tenant="tenant", tag="")

    assert done.private == 1
    assert TOKEN in done.body.decode()
    assert directory.exported("csv", tag="").entries == 0


def test_formulas_are_disarmed_in_csv_alone(directory: Exporting) -> None:
    assert '"\'=Rails"' in directory.text("csv")
    assert '"=Rails"' in directory.text("json")


@pytest.mark.parametrize("form", ["opml", "json", "csv"])
def test_the_same_state_gives_the_same_bytes_except_for_the_date(directory: Exporting, form: str) -> None:
    first = directory.text(form)
    directory.clock.advance(86_400)

    changed = [
        (old, new) for old, new in zip(first.splitlines(), directory.text(form).splitlines(), strict=True) if old != new
    ]

    assert all("dateCreated" in old for old, _ in changed)
    assert len(changed) == (1 if form == "opml" else 0)


@pytest.mark.parametrize("kind", ["ec", "rsa"])
def test_openssl_checks_the_signature(directory: Exporting, tmp_path: Path, kind: str) -> None:
    kms = FakeKms(kind)
    directory.export_signer = fake_signer(kms)

    done = directory.exported("opml")

    encoding, form = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    (tmp_path / "key.pem").write_bytes(kms.key.public_key().public_bytes(encoding, form))
    (tmp_path / "feeds.opml").write_bytes(done.body)
    (tmp_path / "feeds.opml.sig").write_bytes(b64decode(done.signature or ""))
    command = ["openssl", "dgst", "-sha256", "-verify", "key.pem", "-signature", "feeds.opml.sig", "feeds.opml"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
    (tmp_path / "feeds.opml").write_bytes(done.body + b" ")
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode != 0
