from __future__ import annotations

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.platforms.index import platform_leads

SITE = "https://stackoverflow.com"


def feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", ["/feeds"]),
        ("/questions", ["/feeds"]),
        ("/questions?tab=Newest", ["/feeds"]),
        ("/?tab=hot", ["/feeds/hot", "/feeds"]),
        ("/questions?tab=Bounties", ["/feeds/featured", "/feeds"]),
        ("/questions/tagged/c%2b%2b", ["/feeds/tag/c%2b%2b"]),
        ("/questions/tagged/rss?sort=votes", ["/feeds/tag/rss"]),
        ("/tags/python/info", ["/feeds/tag/python"]),
        ("/questions/tagged/a+b", ["/feeds/tag?tagnames=a+and+b&sort=newest"]),
        ("/questions/tagged/a%20b", ["/feeds/tag?tagnames=a+and+b&sort=newest"]),
        ("/questions/tagged/a+or+b", ["/feeds/tag?tagnames=a+or+b&sort=newest"]),
        ("/questions/123/a-title", ["/feeds/question/123"]),
        ("/questions/123/a-title/456#456", ["/feeds/question/123"]),
        ("/q/123/9", ["/feeds/question/123"]),
        ("/users/7/jo?tab=profile", ["/feeds/user/7"]),
        *((path, []) for path in ("/tags", "/users", "/questions/ask", "/a/123", "/help", "/jobs", "/search?q=x")),
        *((path, []) for path in ("/feeds", "/feeds/tag/python", "/feeds/question/123", "/users/login")),
    ],
)
def test_stack_overflow(path: str, expected: list[str]) -> None:
    assert feeds(SITE + path) == [SITE + feed for feed in expected]


@pytest.mark.parametrize(
    "host",
    ["askubuntu.com", "math.stackexchange.com", "meta.stackexchange.com", "pt.stackoverflow.com", "mathoverflow.net"],
)
def test_every_site_of_the_network_has_its_own(host: str) -> None:
    assert feeds(f"https://{host}/questions/1/x") == [f"https://{host}/feeds/question/1"]


@pytest.mark.parametrize("host", ["stackexchange.com", "www.stackexchange.com", "api.stackexchange.com"])
def test_hosts_without_questions_have_none(host: str) -> None:
    assert feeds(f"https://{host}/questions") == []


def test_a_room_of_the_chat_has_its_messages() -> None:
    assert feeds("https://chat.stackoverflow.com/rooms/6/python") == ["https://chat.stackoverflow.com/feeds/rooms/6"]
    assert feeds("https://chat.stackoverflow.com/") == []


def test_a_tag_and_a_question_are_told_from_a_site_and_a_profile() -> None:
    kinds = [platform_leads(SITE + path)[0].kind for path in ("", "/tags/x", "/q/1", "/users/1")]
    assert kinds == [Kind.MAIN, Kind.TAG, Kind.TOPIC, Kind.MAIN]
