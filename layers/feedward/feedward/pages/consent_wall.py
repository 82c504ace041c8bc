"""Recognizes consent and login walls by their URL (rule F1).

A redirect leads there in place of the requested page, with status 200. Those of large platforms are a small table of
hosts and paths that serve nothing else. Any other site's says by a parameter where it leads afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlsplit

# Hosts that are walls whatever the path, as patterns of the whole host.
_HOSTS: Final = "|".join((
    r"consent\.(?:google|youtube)\.(?:com|[a-z]{2}|com?\.[a-z]{2})",
    r"consent\.(?:yahoo|aol|flickr|tumblr)\.com|consent\.cmp\.oath\.com",
    r"guce\.[a-z0-9-]+\.[a-z]{2,}",
    r"myprivacy(?:-static)?\.dpgmedia\.[a-z]{2}",
    r"accounts\.(?:google|youtube|spotify|pixiv)\.(?:com|net)|accounts\.google\.(?:[a-z]{2}|com?\.[a-z]{2})",
    r"login\.(?:yahoo|aol|live|microsoftonline|microsoft|salesforce|taobao|tmall|wikimedia|wordpress)\.(?:com|org)",
    r"login\.sina\.com\.cn|passport\.(?:weibo|bilibili|baidu|jd|yandex)\.(?:com|ru|net)",
    r"appleid\.apple\.com|idmsa\.apple\.com|signin\.aws\.amazon\.com|id\.(?:atlassian|vk|twitch)\.(?:com|tv)",
    r"[a-z0-9.-]+\.(?:okta|oktapreview|auth0|onelogin|pingone|amazoncognito|cloudflareaccess)\.com",
    r"validate\.perfdrive\.com|[a-z0-9-]+\.queue-it\.net",  # a captcha and a waiting room on separate hosts
))  # fmt: skip
# Paths that are walls on a platform's own host, by host without www and m.
_PATHS: Final[Mapping[str, str]] = {
    "amazon.com": r"/ap/signin",
    "bsky.app": r"/login",
    "discord.com": r"/login",
    "facebook.com": r"/(?:login|checkpoint|cookie/consent|consent|privacy/consent)",
    "github.com": r"/(?:login|sessions?)",
    "google.com": r"/sorry",
    "gitlab.com": r"/users/sign_in",
    "instagram.com": r"/(?:accounts/login|challenge|consent)",
    "linkedin.com": r"/(?:authwall|login|uas/login|checkpoint)",
    "medium.com": r"/m/(?:signin|callback)",
    "patreon.com": r"/login",
    "pinterest.com": r"/login",
    "quora.com": r"/login",
    "reddit.com": r"/(?:login|account/login)",
    "soundcloud.com": r"/signin",
    "substack.com": r"/sign-in",
    "threads.net": r"/login",
    "tiktok.com": r"/login",
    "tumblr.com": r"/(?:login|privacy/consent)",
    "twitch.tv": r"/login",
    "twitter.com": r"/(?:login|account/access|i/flow/login|i/flow/signup)",
    "vimeo.com": r"/log_in",
    "vk.com": r"/(?:login|challenge\.html)",
    "wordpress.com": r"/(?:log-in|wp-login\.php)",
    "x.com": r"/(?:login|account/access|i/flow/login|i/flow/signup)",
    "yandex.com": r"/showcaptcha",
    "yandex.ru": r"/showcaptcha",
    "zhihu.com": r"/(?:signin|account/unhuman)",
}
_END: Final = r"(?:\.php)?/?$|/"
# The last segment of a path, and the parameters with the page that is shown afterwards (`/login?next=/feed`).
_WALL: Final = re.compile(
    r"/(?:(?:wp-|user-?)?log[-_]?(?:in|on)|sign[-_]?in|(?:cookie[-_]?)?(?:consent|wall)|captcha|over18"
    r"|age[-_]?(?:gate|check|verification))(?:\.(?:php|aspx?|jsp|html?|do|action))?/?$",
    re.IGNORECASE,
)
_NAMES_OF_RETURN: Final = """
    next return returnto returnurl returnpath redirect redirectto redirecturl redirecturi continue destination dest goto
    back backurl target targeturl callback callbackurl service camefrom from origin forward requestedurl
"""
_RETURN: Final = frozenset(_NAMES_OF_RETURN.split())


def is_consent_wall(url: str) -> bool:
    """Return whether a URL is that of a consent or login wall: of a known one, or of one that leads back."""
    parts = urlsplit(url)
    if _WALL.search(parts.path) and _leads_back(parts.query):
        return True
    host = (parts.hostname or "").rstrip(".")
    if re.fullmatch(_HOSTS, host):
        return True
    paths = _PATHS.get(host.removeprefix("www.").removeprefix("m."))
    return paths is not None and re.match(f"(?:{paths})(?:{_END})", parts.path) is not None


def _leads_back(query: str) -> bool:
    """Return whether a parameter of the query has the address of the page that a person wanted to see."""
    pairs = parse_qsl(query[:4000])
    return any(
        name.lower().replace("_", "").replace("-", "") in _RETURN and value.lower().startswith(("/", "http:", "https:"))
        for name, value in pairs
    )
