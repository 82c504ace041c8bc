"""Routes of RSSHub: by host and path, without reserved paths, on the base URL of the deployment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.discovery.candidate import DiscoveredFrom, Kind, Source
from feedward.discovery.rsshub.routes import ROUTES, ROUTES_OF, rsshub_leads, rsshub_path
from feedward.urls.parse import parse_http_url
from tests.unit.urls.messy import plain_urls, urls_as_written

CASES = json.loads((Path(__file__).parents[3] / "cases" / "discovery.json").read_text())
HOSTS = sorted({host for route in ROUTES for host in route.hosts})


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://x.com/nasa", "/twitter/user/nasa"),
        ("http://WWW.X.com/nasa/", "/twitter/user/nasa"),
        ("https://mobile.twitter.com/nasa/status/1?s=20#x", "/twitter/user/nasa"),
        ("https://x.com/nasa/with_replies", "/twitter/user/nasa"),
        ("https://x.com/nasa/media/", "/twitter/media/nasa"),
        ("https://x.com/i/lists/12345/members", "/twitter/list/12345"),
        ("https://x.com/hashtag/caf%C3%A9", "/twitter/keyword/%23caf%C3%A9"),
        ("https://x.com/search?q=a+b%2Fc&src=typed_query", "/twitter/keyword/a%20b%2Fc"),
        ("https://www.threads.com/@zuck/post/Cx", "/threads/zuck"),
        ("https://www.instagram.com/nasa/", "/instagram/user/nasa"),
        ("https://www.instagram.com/explore/tags/moon/", "/instagram/tags/moon"),
        ("https://www.facebook.com/NASA/posts/1", "/facebook/page/NASA"),
        ("https://www.facebook.com/groups/nodejs", "/facebook/group/nodejs"),
        ("https://www.facebook.com/pg/NASA/posts", "/facebook/page/NASA"),
        ("https://www.linkedin.com/company/google/about/", "/linkedin/company/google/posts"),
        ("https://t.me/durov/142", "/telegram/channel/durov"),
        ("https://t.me/s/durov?before=100", "/telegram/channel/durov"),
        ("https://www.tiktok.com/@linustech/video/7", "/tiktok/user/@linustech"),
        ("https://discord.com/channels/1/2/3", "/discord/channel/2"),
        ("https://space.bilibili.com/2267573/dynamic", "/bilibili/user/dynamic/2267573"),
        ("https://space.bilibili.com/2267573/favlist?fid=7&ftype=create", "/bilibili/fav/2267573/7"),
        ("https://space.bilibili.com/2267573/video", "/bilibili/user/video/2267573"),
        ("https://live.bilibili.com/510?x", "/bilibili/live/room/510"),
        ("https://www.bilibili.com/bangumi/media/md123/", "/bilibili/bangumi/media/123"),
        ("https://weibo.com/1195230310/N1abc", "/weibo/user/1195230310"),
        ("https://s.weibo.com/top/summary?cate=realtimehot", "/weibo/search/hot"),
        ("https://www.zhihu.com/people/someone/", "/zhihu/people/activities/someone"),
        ("https://www.zhihu.com/people/someone/posts", "/zhihu/posts/people/someone"),
        ("https://www.zhihu.com/question/59895982/answer/1", "/zhihu/question/59895982"),
        ("https://www.zhihu.com/topic/19828946/hot", "/zhihu/topic/19828946"),
        ("https://zhuanlan.zhihu.com/googledevelopers/", "/zhihu/zhuanlan/googledevelopers"),
        ("https://github.com/owner/repo/issues?q=is%3Aopen", "/github/issue/owner/repo"),
        ("https://github.com/owner/repo/issues/7", "/github/comments/owner/repo/7"),
        ("https://github.com/trending/python?since=weekly", "/github/trending/weekly/python"),
        ("https://github.com/trending", "/github/trending/daily/any"),
        ("https://open.spotify.com/show/5CfCWKI5pZ28U0uOzXkDHe?si=1", "/spotify/show/5CfCWKI5pZ28U0uOzXkDHe"),
        ("https://open.spotify.com/intl-de/artist/6k9T", "/spotify/artist/6k9T"),
        ("https://www.youtube.com/@handle/videos", "/youtube/user/@handle"),
        ("https://www.youtube.com/playlist?list=PL1", "/youtube/playlist/PL1"),
        ("https://www.pixiv.net/en/users/15288095/artworks", "/pixiv/user/15288095"),
        ("https://www.pixiv.net/users/15288095/bookmarks/artworks", "/pixiv/user/bookmarks/15288095"),
        ("https://someone.fanbox.cc/posts/1", "/fanbox/someone"),
        ("https://www.fanbox.cc/@someone", "/fanbox/someone"),
        ("https://www.patreon.com/c/someone/posts", "/patreon/someone"),
        ("https://www.twitch.tv/riotgames", "/twitch/live/riotgames"),
        ("https://www.twitch.tv/riotgames/videos?filter=all", "/twitch/video/riotgames"),
        ("https://store.steampowered.com/curator/34646096-80-Days/", "/steam/curator/34646096-80-Days"),
        ("https://www.reuters.com/world/us/", "/reuters/world/us"),
        ("https://www.reuters.com/world/", "/reuters/world"),
        ("https://www.reuters.com/world/us/some-story-2026-01-02/", "/reuters/world/us"),
        ("https://www.reuters.com/world/some-story-2026-01-02/", "/reuters/world"),
        ("https://www.reuters.com/authors/jonathan-landay/", "/reuters/authors/jonathan-landay"),
        ("https://www.anthropic.com/engineering", "/anthropic/engineering"),
        ("https://openai.com/news/", "/openai/news"),
        (
            "https://mp.weixin.qq.com/mp/appmsgalbum?__biz=MzA==&action=getalbum&album_id=12",
            "/wechat/mp/msgalbum/MzA==/12",
        ),
        ("https://steamcommunity.com/app/958260/allnews/", "/steam/news/958260"),
        ("https://sspai.com/series/12/list", "/sspai/series/12"),
        ("https://www.pixiv.net/ranking.php", "/pixiv/ranking/daily"),
        ("https://www.mixcloud.com/someone/a-set/", "/mixcloud/someone/uploads"),
        ("https://www.artstation.com/wlop/albums", "/artstation/wlop"),
    ],
)
def test_the_route_of_an_address(url: str, expected: str) -> None:
    assert rsshub_path(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        *("https://x.com/", "https://x.com/explore", "https://x.com/SEARCH", "https://x.com/i/flow/login"),
        *("https://x.com/login?x", "https://x.com/home", "https://x.com/settings/profile", "https://x.com/search"),
        *("https://www.instagram.com/p/Cabc/", "https://www.instagram.com/explore/", "https://www.instagram.com/"),
        *("https://www.facebook.com/watch/", "https://www.facebook.com/groups/", "https://www.facebook.com/login.php"),
        "https://www.facebook.com/p/Some-Name-100/",
        *("https://t.me/joinchat/AAA", "https://t.me/+AbC", "https://t.me/c/123/4", "https://t.me/s/", "https://t.me/"),
        *("https://weibo.com/", "https://weibo.com/login.php", "https://zhuanlan.zhihu.com/p/123"),
        *("https://www.zhihu.com/", "https://www.zhihu.com/search?q=x", "https://www.patreon.com/login"),
        *(
            "https://www.patreon.com/posts/a-post-1",
            "https://www.twitch.tv/directory",
            "https://www.twitch.tv/videos/1",
        ),
        *("https://www.artstation.com/artwork/abc", "https://www.reuters.com/", "https://www.reuters.com/search/news"),
        *("https://github.com/search?q=x", "https://github.com/", "https://www.threads.net/login"),
        *("https://www.tiktok.com/explore", "https://discord.com/channels/@me", "https://open.spotify.com/search"),
        *("https://example.com/nasa", "https://notx.com/nasa", "https://x.com.example/nasa", "https://a.x.com/nasa"),
        *("https://a.b.fanbox.cc/", "https://rsshub.app/twitter/user/nasa", "ftp://x.com/nasa", "x.com/nasa", ""),
    ],
)
def test_pages_without_an_owner_have_no_route(url: str) -> None:
    assert rsshub_path(url) is None


@pytest.mark.parametrize("case", [case for case in CASES if case["op"] == "rsshub_path"], ids=lambda case: case["id"])
def test_conformance_cases_hold_with_any_spelling_of_the_host(case: dict[str, Any]) -> None:
    scheme, _, rest = case["args"][0].partition("//")
    host, slash, path = rest.partition("/")

    for spelling in (host, host.upper(), f"{host}.", host.removeprefix("www.")):
        assert rsshub_path(f"{scheme}//{spelling}{slash}{path}") == case["expected"]


@pytest.mark.parametrize(
    "base",
    [
        "https://rsshub.app",
        "https://rsshub.app/",
        "https://rsshub.example/private/",
        "http://rsshub.example:1200/a/b",
        "https://rsshub.example/?x=1#y",
    ],
)
def test_a_lead_stands_on_the_base_of_the_deployment(base: str) -> None:
    [lead] = rsshub_leads("https://x.com/nasa", base)

    assert lead.url == base.partition("?")[0].rstrip("/") + "/twitter/user/nasa"
    assert (lead.source, lead.kind, lead.why) == (Source.RSSHUB, Kind.MAIN, "rsshub: twitter")
    assert lead.source.discovered_from is DiscoveredFrom.EXTERNAL


def test_without_a_route_or_a_base_there_is_no_lead() -> None:
    assert rsshub_leads("https://example.com/", "https://rsshub.app") == []
    assert rsshub_leads("https://x.com/nasa", "") == []
    assert rsshub_leads("https://x.com/nasa", "rsshub.app") == []


def test_a_base_that_has_a_password_is_none() -> None:
    assert rsshub_leads("https://x.com/nasa", "https://user:secret@rsshub.example") == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.tiktok.com/%40linustech", "/tiktok/user/@linustech"),
        ("https://www.threads.net/%40zuck", "/threads/zuck"),
        ("https://www.youtube.com/%40handle/videos", "/youtube/user/@handle"),
    ],
)
def test_a_name_is_read_however_its_mark_is_escaped(url: str, expected: str) -> None:
    assert rsshub_path(url) == expected
    assert rsshub_leads("nonsense", "https://rsshub.app") == []


def test_the_table_covers_many_hosts_and_names_each_as_it_is_looked_up() -> None:
    assert len(ROUTES_OF) >= 47
    assert all(host == host.lower() and not host.startswith("www.") for host in ROUTES_OF)
    assert all(route.path.startswith("/") and "//" not in route.path for route in ROUTES)
    assert all(name == name.lower() for route in ROUTES for name in route.reserved)


@given(urls_as_written(), st.sampled_from(["https://rsshub.app", "https://r.example/p/", "", "x"]))
def test_any_text_is_borne(text: str, base: str) -> None:
    assert rsshub_path(text) == rsshub_path(text)
    rsshub_leads(text, base)


@given(plain_urls(), st.sampled_from(HOSTS))
def test_the_route_of_any_url_is_a_path_below_the_base(text: str, host: str) -> None:
    url = parse_http_url(text)
    assert url
    url.host = f"someone{host}" if host.startswith(".") else host
    path = rsshub_path(url.href)
    if path is None:
        return

    assert path.startswith("/")
    assert path.count("%25") <= url.href.count("%25")
    for lead in rsshub_leads(url.href, "https://r.example/base/"):
        assert lead.url.startswith("https://r.example/base/")
        found = parse_http_url(lead.url)
        assert found
        assert found.pathname.count("/") == path.count("/") + 1
        assert not found.search


@pytest.mark.parametrize(
    "url",
    [
        *(
            f"https://github.com/{name}"
            for name in ("advisories", "security-advisories", "apps", "collections", "sponsors", "solutions")
        ),
        *(f"https://github.com/{name}/x/issues" for name in ("advisories", "orgs", "marketplace", "settings")),
        *(f"https://x.com/{name}" for name in ("home", "i", "jobs", "tos", "explore", "compose", "status", "login")),
        *(f"https://www.instagram.com/{name}/" for name in ("explore", "reels", "accounts", "about", "legal")),
        *(f"https://www.facebook.com/{name}" for name in ("dialog/feed", "sharer", "plugins", "policies", "help")),
        *(f"https://www.twitch.tv/{name}" for name in ("directory", "downloads", "jobs", "turbo", "settings")),
        *(f"https://soundcloud.com/{name}" for name in ("discover", "charts", "pages", "upload", "stream")),
        *(f"https://www.patreon.com/{name}" for name in ("login", "pricing", "apps", "policy", "explore")),
        *(f"https://t.me/{name}/1" for name in ("joinchat", "addstickers", "proxy", "share")),
        *("https://dribbble.com/shots", "https://www.behance.net/galleries", "https://www.artstation.com/contests"),
        *("https://gitee.com/explore/all", "https://www.huya.com/about", "https://www.mixcloud.com/genres"),
    ],
)
def test_page_of_a_platform_itself_has_no_route(url: str) -> None:
    assert rsshub_path(url) is None
