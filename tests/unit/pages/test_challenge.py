"""A wall in place of a document is a `challenge` with any status: bot checks, consent pages, login pages."""

from __future__ import annotations

import pytest

from feedward.model import FetchResult, Hop, Outcome
from feedward.pages.challenge import without_wall

PAGE = b"<!doctype html><title>Before you continue</title><p>We use cookies."
FEED = b'<?xml version="1.0"?><rss version="2.0"><channel><title>News</title></channel></rss>'

WALLS = [
    "https://consent.google.com/m?continue=https://news.google.com/",
    "https://consent.google.co.uk/ml?continue=x",
    "https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2F",
    "https://consent.yahoo.com/v2/collectConsent?sessionId=3_cc",
    "https://guce.techcrunch.com/consent?brandType=nonEu",
    "https://myprivacy.dpgmedia.nl/consent?siteKey=x",
    "https://www.tumblr.com/privacy/consent?redirect=https%3A%2F%2Fa.tumblr.com%2Frss",
    "https://accounts.google.com/v3/signin/identifier?continue=x",
    "https://login.microsoftonline.com/common/oauth2/authorize?client_id=1",
    "https://www.facebook.com/login.php?next=x",
    "https://m.facebook.com/login/?next=x",
    "https://www.linkedin.com/authwall?trk=x",
    "https://x.com/i/flow/login?redirect_after_login=%2Fa",
    "https://www.instagram.com/accounts/login/?next=%2Fa%2F",
    "https://github.com/login?return_to=x",
    "https://dev-1.okta.com/app/x/sso/saml",
    "https://team.cloudflareaccess.com/cdn-cgi/access/login/a.example?kid=1",
    "https://validate.perfdrive.com/?ssa=1&ssc=https%3A%2F%2Fa.example%2Ffeed",
    "https://shop.queue-it.net/?c=shop&e=sale",
    "https://www.google.com/sorry/index?continue=x",
    "https://yandex.ru/showcaptcha?cc=1",
    # of any site, if a parameter says where it leads afterwards
    "https://reader.example/login?next=/",
    "https://forum.example/ucp/login.php?redirect=%2Ffeed%3Ff%3D2",
    "https://wiki.example/Account/LogOn?ReturnUrl=%2fblog%2ffeed",
    "https://blog.example/wp-login.php?redirect_to=https%3A%2F%2Fblog.example%2Ffeed%2F&reauth=1",
    "https://sso.example/cas/login?service=https%3A%2F%2Fa.example%2Frss",
    "https://git.example/users/sign-in/?return_to=/a.atom",
    "https://paper.example/cookie-wall?lang=nl&origin=https://paper.example/rss",
    "https://art.example/age-verification?dest=%2Fgallery",
    "https://shop.example/captcha?back=/blog",
]
NO_WALLS = [
    "https://consent.example.com/",
    "https://google.com/consent",
    "https://news.google.com/rss?hl=de",
    "https://github.com/loginov/feeds",
    "https://github.com/feeds/login",
    "https://www.reddit.com/r/login/.rss",
    "https://blog.example/login",
    "https://blog.example/login?lang=de&next=2",
    "https://blog.example/how-to-login?next=/feed",
    "https://blog.example/login/tips?next=/feed",
    "https://blog.example/feed?redirect=/login",
    "https://blog.example/wall-of-fame?next=/feed",
    "https://guce.example.co.uk.evil.example/",
    "https://x.com/loginhelp",
    "https://medium.com/m/global-identity-2?redirectUrl=https%3A%2F%2Fblog.example%2F",
]


def landed(url: str, *, body: bytes = PAGE, redirected: bool = True) -> FetchResult:
    hops = (Hop(status=302, url="https://asked.example/page"),) if redirected else ()
    return FetchResult(
        outcome=Outcome.OK, url=url, status=200, hops=hops, headers={"content-type": "text/html"}, body=body
    )


@pytest.mark.parametrize("url", WALLS)
def test_a_redirect_to_a_consent_or_login_page_is_a_challenge_that_keeps_nothing(url: str) -> None:
    fetch = without_wall(landed(url))
    assert (fetch.outcome, fetch.body, fetch.url) == (Outcome.CHALLENGE, b"", url)
    assert "consent or login" in fetch.detail


@pytest.mark.parametrize("url", NO_WALLS)
def test_other_pages_are_none(url: str) -> None:
    fetch = landed(url)
    assert without_wall(fetch) is fetch


def test_a_login_page_that_was_asked_for_by_its_own_url_is_a_page() -> None:
    fetch = landed("https://github.com/login", redirected=False)
    assert without_wall(fetch) is fetch


def test_a_feed_is_a_feed_wherever_it_is_served() -> None:
    fetch = landed("https://dev-1.okta.com/feed", body=FEED)
    assert without_wall(fetch) is fetch
