"""Recognizes the consent and login walls of large platforms by their URL (rule F1).

A redirect leads there in place of the requested page, with status 200. The table is small: hosts and paths that serve
nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

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


def is_consent_wall(url: str) -> bool:
    """Return whether a URL is that of a known consent or login wall."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    if re.fullmatch(_HOSTS, host):
        return True
    paths = _PATHS.get(host.removeprefix("www.").removeprefix("m."))
    return paths is not None and re.match(f"(?:{paths})(?:{_END})", parts.path) is not None
