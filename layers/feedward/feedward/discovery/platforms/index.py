"""All platform rules, found by host: the feeds of a URL's platform, by the URL alone and by the page (rule D1).

A rule is pure and only proposes. The rules of the most specific host decide: those of open.substack.com, not those of
all subdomains of substack.com. Software that runs anywhere is recognized by its pages, on hosts that have no rule.
Rules are loaded by families, for the first URL or page that needs them.

In the index a domain stands for itself and all its subdomains; a name that ends in a dot, for that name under any
domain. The index may name a family without a rule for the host. It never misses a family with one, which a test
ensures.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from feedward.discovery.candidate import Lead, Source
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Lookup, Platform, Proposal
from feedward.discovery.url_patterns import host_of, read_url
from feedward.urls.parse import Url, parse_http_url

# The file of each family and its domains. If two families have leads for a page, those of the upper family come first.
FAMILIES: Final[Mapping[str, str]] = {
    "github": "github.com",
    "code": """
        gitlab. gitlab.com framagit.org invent.kde.org salsa.debian.org code.videolan.org codeberg.org gitea.com
        forgejo.org notabug.org git.disroot.org sourceforge.net git.sr.ht
    """,
    "packages": "pypi.org pypi.python.org crates.io rubygems.org packagist.org",
    "blogs": "wordpress.com blogspot. tumblr.com medium.com dev.to",
    "hosted": """
        blog.fc2.com dreamwidth.org exblog.jp hashnode.dev livedoor.blog livejournal.com mataroa.blog micro.blog
        over-blog.com posthaven.com prose.sh svbtle.com tistory.com weblog.lol write.as bearblog.dev hatenablog.
        hateblo.jp hatenadiary. qiita.com zenn.dev velog.io campaign-archive. campaign-archive1.com
    """,
    "site_builders": "ghost.io squarespace.com",
    "newsletters": "substack.com buttondown. beehiiv.com",
    "shops": "myshopify.com",
    "forums": "reddit.com redd.it news.ycombinator.com lobste.rs",
    "questions": """
        stackoverflow.com stackexchange.com serverfault.com superuser.com askubuntu.com mathoverflow.net stackapps.com
    """,
    "reference": """
        arxiv.org wikipedia.org wiktionary.org wikinews.org wikiquote.org wikibooks.org wikisource.org wikiversity.org
        wikivoyage.org wikimedia.org wikidata.org mediawiki.org
    """,
    "video": """
        youtube.com youtu.be youtube-nocookie.com vimeo.com dailymotion.com odysee.com bitchute.com nicovideo.jp
        framatube.org tilvids.com peertube.tv tube.tchncs.de makertube.net diode.zone
    """,
    "audio": """
        soundcloud.com podcasts.apple.com itunes.apple.com overcast.fm pca.st pocketcasts.com castro.fm buzzsprout.com
        shows.acast.com play.acast.com art19.com audioboom.com spreaker.com rss.com anchor.fm hearthis.at ximalaya.com
        podbean.com transistor.fm libsyn.com fireside.fm podigee.io
    """,
    "social": "bsky.app main.bsky.dev pinterest. letterboxd.com goodreads.com",
    "fediverse": """
        mastodon. mastodonapp.uk mastodontech.de mstdn. mas.to masto.ai fosstodon.org hachyderm.io infosec.exchange
        techhub.social chaos.social ruby.social floss.social toot.community indieweb.social phpc.social front-end.social
        sigmoid.social mathstodon.xyz social.vivaldi.net social.coop mindly.social universeodon.com aus.social
        scholar.social kolektiva.social journa.host newsie.social oldbytes.space merveilles.town wandering.shop
        pawoo.net fediscience.org genomic.social tech.lgbt det.social norden.social troet.cafe social.tchncs.de
        lemmy. lemmygrad.ml lemm.ee sh.itjust.works beehaw.org programming.dev feddit. hexbear.net sopuli.xyz slrpnk.net
        reddthat.com discuss.tchncs.de aussie.zone midwest.social infosec.pub ttrpg.network mander.xyz startrek.website
        jlai.lu szmer.info lemmings.world discuss.online pixelfed. pixey.org pxlmo.com misskey. sushi.ski
        bookwyrm.social
    """,
    "art": "flickr.com behance.net deviantart.com artstation.com",
    "launches": "producthunt.com kickstarter.com store.steampowered.com steamcommunity.com itch.io",
}
# The families with software that runs on any host and is recognized by its pages.
SOFTWARE: Final = (
    "code",
    "blogs",
    "hosted",
    "site_builders",
    "newsletters",
    "shops",
    "forums",
    "reference",
    "video",
    "fediverse",
)

_FAMILY_OF: Final = {domain: family for family, domains in FAMILIES.items() for domain in domains.split()}


def families_of(host: str) -> tuple[str, ...]:
    """Return the families that may have rules for `host`, in the order of FAMILIES; empty for most hosts."""
    labels = host.split(".")
    places = {f"{label}." for label in labels} | {".".join(labels[count:]) for count in range(len(labels))}
    found = {_FAMILY_OF[place] for place in places if place in _FAMILY_OF}
    return tuple(family for family in FAMILIES if family in found)


_Found = tuple[Platform, Sequence[Proposal]]


def has_rules(url: str) -> bool:
    """Tell whether the URL is on a platform's host, which has feeds of many people."""
    parsed = read_url(url)
    return parsed is not None and bool(_of_host(parsed))


def platform_leads(url: str) -> list[Lead]:
    """Return the feeds that the platform of this URL has, best first, by the URL alone.

    The first lead belongs to the URL itself: a tag page's first lead is the tag's feed. Empty if no rule matches.
    """
    parsed = read_url(url)
    if parsed is None:
        return []
    return _leads((rule, rule.feeds(parsed)) for rule in _of_host(parsed) if rule.feeds)


def page_platform_leads(url: str, page: Page) -> list[Lead]:
    """Return the feeds that the platform of this page has, best first, by the page.

    `url` is the requested URL. If the page was found at another URL, the leads of that URL alone are included.
    """
    parsed = read_url(page.url)
    if parsed is None:
        return []
    moved: list[Lead] = platform_leads(page.url) if page.url != url else []
    rules = _of_host(parsed) or _of_page(page)
    told = _leads(((rule, rule.page_feeds(parsed, page)) for rule in rules if rule.page_feeds), page_url=page.url)
    return _once([*moved, *told])


def platform_lookup(url: str) -> Lookup | None:
    """Return the platform's own API document that names this URL's feeds, if a rule has one."""
    parsed = read_url(url)
    if parsed is None:
        return None
    lookups = (rule.lookup(parsed) for rule in _of_host(parsed) if rule.lookup)
    return next((lookup for lookup in lookups if lookup), None)


@functools.cache
def rules_of(family: str) -> tuple[Platform, ...]:
    """Return the rules of a family of the index, from its file."""
    rules: tuple[Platform, ...] = importlib.import_module(f"{__package__}.{family}").RULES
    return rules


@functools.cache
def _by_host(families: tuple[str, ...]) -> Mapping[str, tuple[Platform, ...]]:
    index: dict[str, tuple[Platform, ...]] = {}
    for platform in (rule for family in families for rule in rules_of(family)):
        for host in platform.hosts:
            index[host] = (*index.get(host, ()), platform)
    return index


def _of_host(url: Url) -> tuple[Platform, ...]:
    """Return the rules of the host, else those of the closest domain that stands for all its subdomains."""
    host = host_of(url)
    hosts = _by_host(families_of(host))
    if host in hosts:
        return hosts[host]
    _, dot, above = host.partition(".")
    while dot:
        if f".{above}" in hosts:
            return hosts[f".{above}"]
        _, dot, above = above.partition(".")
    return ()


def _of_page(page: Page) -> tuple[Platform, ...]:
    return tuple(rule for family in SOFTWARE for rule in rules_of(family) if _is_from(rule, page))


def _is_from(platform: Platform, page: Page) -> bool:
    generator = (page.generator or "").strip().lower()
    if generator and platform.generators and generator.startswith(platform.generators):
        return True
    return platform.recognizes is not None and platform.recognizes(page)


def _leads(found: Iterable[_Found], *, page_url: str | None = None) -> list[Lead]:
    named = [(platform, proposal) for platform, proposals in found for proposal in proposals]
    return _once(
        [
            Lead(
                url=url,
                source=Source.PLATFORM,
                kind=proposal.kind,
                why=f"{platform.name}: {proposal.what}" if proposal.what else platform.name,
                page_url=page_url,
            )
            for platform, proposal in named
            if (url := _fetchable(proposal.url))
        ]
    )


def _once(leads: Iterable[Lead]) -> list[Lead]:
    """Keep the first lead to each URL and renumber the positions."""
    first: dict[str, Lead] = {}
    for lead in leads:
        first.setdefault(lead.url, lead)
    return [_at(position, lead) for position, lead in enumerate(first.values())]


def _at(position: int, lead: Lead) -> Lead:
    return lead if lead.position == position else replace(lead, position=position)


def _fetchable(text: str) -> str:
    url = parse_http_url(text)
    if url is None:
        return ""
    url.hash = ""
    return url.href
