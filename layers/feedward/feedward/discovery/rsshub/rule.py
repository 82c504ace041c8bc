"""One rule of RSSHub: the URLs from which one of its routes makes a feed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Route:
    """`pattern` is over the path and query of a URL on `hosts` (see discovery/url_patterns.py), `path` the template of
    the route. A host is written without www; a host that begins with a dot stands for its direct subdomains, whose
    name is the value `sub`. `reserved` are names that a variable first part of a path cannot have.
    """

    hosts: tuple[str, ...]
    pattern: str
    path: str
    reserved: frozenset[str]


# A platform's own pages, at paths where users have theirs.
PAGES = """
    about abuse accessibility account accounts activity ad ads advertise advertisers advertising advisories
    affiliate affiliates agreement announcements api apidocs app apply apps archive articles assets auth authorize
    awards badges beta billing blog blogs brand brands browse bug business campaign campaigns captcha career careers
    cart categories category changelog channels charts checkout clips collection collections comments communities
    community company compliance compose confirm connect contact contact-us contest contests contribute cookie
    cookies copyright create creators credits customers dashboard dev devblog developer developers directory
    discover dmca doc docs documentation domains donate download downloads edit editorial education email embed
    enterprise error event events explore faq faqs favicon.ico favorites features feed feedback feeds followers
    following forgot forgot-password forgot_password forum forums friends get-started gift gifts group groups guide
    guidelines guides hashtag help hiring home imprint inbox index index.html index.php info integrations intent
    investor investors invite issues jobs join language languages latest learn legal library license licenses list
    lists live local log-in log_in login logout marketplace media members membership memberships messages mission
    mobile moments my new news newsletter newsletters newsroom notes notifications oauth oauth2 offers onboarding
    opensearch.xml orders organizations orgs pages partner partners password pay payment payments people permissions
    photos plans player plugin plugins policies policy popular post posts premium press pricing privacy
    privacy-policy pro products profile profiles projects promo promotions public publishers purchase questions
    recent recommendations redeem redirect register registration releases report reports research reset resources
    robots.txt rss rules safety sales saved schools search security self-serve service services session sessions
    setting settings share shop shops showcase sign-in sign-up sign_in sign_up signin signout signup site sitemap
    sitemap.xml sitemaps sites sponsor sponsors staff static stats status store stories story studio subscribe
    subscription subscriptions suggestions support survey tag tags team teams terms terms-of-service tools top topic
    topics tos tour trending trends upload uploads user users verify video videos wallet welcome wiki www
"""


def on(hosts: str, routes: Mapping[str, str], *, reserved: str = "") -> tuple[Route, ...]:
    """Return rules of `hosts` (names separated by blanks): pattern -> route; the first match decides."""
    taken = frozenset(reserved.split())
    return tuple(Route(tuple(hosts.split()), pattern, path, taken) for pattern, path in routes.items())


def on_people(hosts: str, routes: Mapping[str, str], *, reserved: str) -> tuple[Route, ...]:
    """Return rules of hosts where the first part of a path is a user's name, unless it is a platform's own page."""
    return on(hosts, routes, reserved=PAGES + reserved)
