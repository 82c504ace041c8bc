"""Social networks and their contents: posts, pins, books, films. The fediverse has a separate file."""

from __future__ import annotations

from collections.abc import Sequence

from feedward.discovery.platforms.rule import Platform, Proposal, at, by_path
from feedward.discovery.url_patterns import account_label, names
from feedward.urls.parse import Url

_PINTEREST = "https://www.pinterest.com"
_PINTEREST_COUNTRIES = (
    "at be ca ch cl co.kr co.uk com.au com.mx com.pe com.uy cz de dk es fi fr hu ie info it jp nl nz ph pl pt ru se th "
    "tw vn"
)
_PINTEREST_PAGES = names(
    "about account ads amp analytics api app board business careers categories collage collages contact conversations "
    "convert create design developers discover email explore featured feed fonts guidelines help homefeed ideas "
    "invite join legal login logout news news_hub notifications oauth password pin pin-builder pin-creation-tool pins "
    "popular privacy resource search secure settings shop shopping signup sitemap static subscribed terms textacy "
    "today topics trending upload url v3 videos watch work"
)
_pins = Proposal(url=_PINTEREST + "/{user}/feed.rss", what="pins")
_pinterest_paths = by_path(
    at("/{user}", _pins),
    at("/{user}/{tab:_[a-z_]*|boards|pins|saved|created|followers|following|tried|activity|community}/*", _pins),
    at("/{user}/{board}/*", Proposal(url=_PINTEREST + "/{user}/{board}.rss", what="board"), _pins),
    reserved=_PINTEREST_PAGES,
)


def _pinterest(url: Url) -> Sequence[Proposal]:
    """Propose feeds on country hosts, with two letters (de.pinterest.com); longer names are the company's own sites."""
    return () if len(account_label(url, "pinterest.com")) > _COUNTRY else _pinterest_paths(url)


_COUNTRY = 2

_LETTERBOXD_PAGES = names(
    "about actor activity ad api apps artist camera-operator cinematographer cinematography composer contact "
    "costume-design create-account crew delete director editor ereview films film forgotten-password gift "
    "hair-and-makeup help hq invitations journal legal list lists makeup-artist member members my news "
    "original-writer people podcast pro producer production-design purchase reset-password reviewer reviews s search "
    "settings show shows sign-in sign-out signin signup sound special-effects static story studio stunts subtitles "
    "support tag tags theme title-design upgrade user video-store visual-effects watchlist welcome writer "
    "year-in-review"
)

_GOODREADS = "https://www.goodreads.com"
_updates = Proposal(url=_GOODREADS + "/user/updates_rss/{id}", what="updates")
_reviews = Proposal(url=_GOODREADS + "/review/list_rss/{id}", what="shelf")
_shelf = Proposal(url=_GOODREADS + "/review/list_rss/{id}?shelf={shelf}", what="shelf")
# A number, which a name may follow.
_NUMBERED = "{id:[0-9]+}{slug:[^/0-9][^/]*|}"

RULES: tuple[Platform, ...] = (
    Platform(
        name="bluesky",
        hosts=("bsky.app", "staging.bsky.app", "main.bsky.dev"),
        feeds=by_path(
            at(
                "/profile/{handle:did:[a-z]+:[A-Za-z0-9._:%-]+|(?:[A-Za-z0-9-]+[.])+[A-Za-z0-9-]+}/*",
                Proposal(url="https://bsky.app/profile/{handle}/rss", what="posts"),
            ),
        ),
    ),
    Platform(
        name="pinterest",
        hosts=(
            "pinterest.com",
            ".pinterest.com",
            *(f"pinterest.{country}" for country in _PINTEREST_COUNTRIES.split()),
        ),
        feeds=_pinterest,
    ),
    Platform(
        name="letterboxd",
        hosts=("letterboxd.com",),
        feeds=by_path(
            at("/journal/*", Proposal(url="https://letterboxd.com/journal/rss/", what="journal")),
            at("/{user:[A-Za-z0-9_]+}/*", Proposal(url="https://letterboxd.com/{user}/rss/", what="diary")),
            reserved=_LETTERBOXD_PAGES,
        ),
    ),
    Platform(
        name="goodreads",
        hosts=("goodreads.com",),
        feeds=by_path(
            at(f"/user/show/{_NUMBERED}/*", _updates, _reviews),
            at(f"/review/list/{_NUMBERED}?shelf={{shelf}}", _shelf, _updates),
            at(f"/review/list/{_NUMBERED}/*", _reviews, _updates),
        ),
    ),
)
