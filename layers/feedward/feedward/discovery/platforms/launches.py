"""Platforms where products, projects and games are announced."""

from __future__ import annotations

from collections.abc import Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.platforms.rule import Platform, Proposal, at, by_path
from feedward.discovery.url_patterns import account_label, names
from feedward.urls.parse import Url

_PRODUCT_HUNT = "https://www.producthunt.com/feed"
_new_products = Proposal(url=_PRODUCT_HUNT, what="new products")

_KICKSTARTER = "https://www.kickstarter.com/projects"
_new_projects = Proposal(url=_KICKSTARTER + "/feed.atom", what="new projects")

_steam_news = Proposal(url="https://store.steampowered.com/feeds/news/app/{id}/", what="news")

_ITCH_SERVICES = names("www api static img html html-classic docs blog broadcast status")
_itch_game = by_path(at("/{game}/*", Proposal(url="/{game}/devlog.rss", what="devlog")))
_ITCH_LISTS = "games|tools|game-assets|soundtracks|physical-games|books|comics|misc"


def _itch_creator(url: Url) -> Sequence[Proposal]:
    creator = account_label(url, "itch.io")
    return () if not creator or creator in _ITCH_SERVICES else _itch_game(url)


RULES: tuple[Platform, ...] = (
    Platform(
        name="product hunt",
        hosts=("producthunt.com",),
        feeds=by_path(
            at("/topics/{topic}/*", Proposal(url=_PRODUCT_HUNT + "?topic={topic}", kind=Kind.TOPIC, what="topic")),
            at(
                "/categories/{category}/*",
                Proposal(url=_PRODUCT_HUNT + "?category={category}", kind=Kind.CATEGORY, what="category"),
            ),
            at("/", _new_products),
            at("/{place:posts|products|leaderboard|newest|all|launches}/*", _new_products),
        ),
    ),
    Platform(
        name="kickstarter",
        hosts=("kickstarter.com",),
        feeds=by_path(
            at(
                "/projects/{creator:[A-Za-z0-9_-]+}/{project:[A-Za-z0-9_%-]+}/*",
                Proposal(url=_KICKSTARTER + "/{creator}/{project}/posts.atom", what="project updates"),
            ),
            at("/", _new_projects),
            at("/{place:discover|projects}/*", _new_projects),
        ),
    ),
    Platform(
        name="steam",
        hosts=("store.steampowered.com", "steamcommunity.com"),
        feeds=by_path(
            at("/{place:app|games|ogg}/{id:[0-9]+}/*", _steam_news),
            at("/news/app/{id:[0-9]+}/*", _steam_news),
            at("/news/*", Proposal(url="https://store.steampowered.com/feeds/news/", what="news")),
            at(
                "/groups/{name}/*",
                Proposal(url="https://steamcommunity.com/groups/{name}/rss/", what="announcements"),
            ),
        ),
    ),
    Platform(
        name="itch.io",
        hosts=("itch.io",),
        feeds=by_path(
            at(
                "/",
                Proposal(url="https://itch.io/feed/new.xml", what="new"),
                Proposal(url="https://itch.io/feed/featured.xml", what="featured"),
            ),
            at("/devlogs/*", Proposal(url="https://itch.io/devlogs.xml", what="devlogs")),
            at(f"/{{list:{_ITCH_LISTS}}}", Proposal(url="https://itch.io/{list}.xml", what="new")),
            at(
                f"/{{list:{_ITCH_LISTS}}}/{{sort:[a-z-]+}}",
                Proposal(url="https://itch.io/{list}/{sort}.xml", kind=Kind.SECTION, what="section"),
            ),
        ),
    ),
    Platform(name="itch.io creator", hosts=(".itch.io",), feeds=_itch_creator),
)
