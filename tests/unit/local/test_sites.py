"""The sites file tells its stories without contradicting itself."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from feedward.canonical.result import Reason
from feedward.model import Outcome
from feedward_local.demo.sites import load_sites

SITES = load_sites()


def test_it_has_more_than_a_dozen_hosts_and_all_are_names_that_nobody_can_own() -> None:
    assert len(SITES.hosts) > 12
    assert all(host.endswith(".example") for host in SITES.hosts)


def test_every_story_has_something_to_try_and_something_to_tell() -> None:
    assert {name for name, _ in SITES.stories} == {one.story for one in SITES.tries}
    assert all(tells for _, tells in SITES.stories)


def test_what_is_told_uses_the_words_of_the_specification() -> None:
    for one in SITES.tries:
        reason = Reason(one.expected["reason"])
        assert (one.expected["url"] is None) == (reason in (Reason.ERROR, Reason.UNSAFE_URL, Reason.BAD_URL)), one.url
        if "outcome" in one.expected:
            Outcome(one.expected["outcome"])


def test_every_answer_is_a_page_of_the_made_up_internet() -> None:
    for one in SITES.tries:
        if one.expected["url"]:
            page = SITES.find(one.expected["url"])
            assert page is not None, one.url
            assert page.status == 200, one.url


def test_pages_are_found_by_the_exact_url_or_by_path_when_they_look_at_no_query() -> None:
    assert SITES.find("https://garden.example/feed?anything=1") is SITES.find("https://garden.example/feed")
    assert SITES.find("https://forum.example/feed.php?board=8") is None
    assert SITES.find("https://ridge.example/index.rdf") is None


def test_pages_are_at_absolute_urls_of_default_ports() -> None:
    for url in SITES.pages:
        parts = urlsplit(url)
        assert parts.scheme in ("http", "https")
        assert parts.port is None
        assert parts.path.startswith("/")


@pytest.mark.parametrize(
    ("pages", "says"),
    [
        ("[{ at = ['https://a.example/'], colour = 'red' }]", "colour"),
        ("[{ at = ['https://a.example/'] }, { at = ['https://a.example/'] }]", "two pages"),
    ],
)
def test_an_entry_that_makes_no_sense_is_named(tmp_path: Path, pages: str, says: str) -> None:
    path = tmp_path / "sites.toml"
    path.write_text(f"[feed]\n[[story]]\nname = 'odd'\ntells = ''\ntry = []\npages = {pages}\n")
    with pytest.raises(ValueError, match=f"odd: .*{says}"):
        load_sites(path)
