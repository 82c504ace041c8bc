"""The rules of a robots.txt (RFC 9309)."""

from __future__ import annotations

import pytest

from feedward.frontier.robots import BYTES_AT_MOST, LONGEST_DELAY_S, Robots, read_robots, unreachable
from feedward.model import Hop, Outcome
from tests.unit.frontier.rows import failure

URL = "https://a.example/private/page?q=1"


def robots(*lines: str) -> Robots:
    return Robots(text=read_robots("\n".join(lines).encode()), product="feedward")


@pytest.mark.parametrize(
    ("lines", "is_allowed"),
    [
        ((), True),
        (("User-agent: *", "Disallow: /"), False),
        (("User-agent: *", "Disallow:"), True),
        (("User-agent: *", "Disallow: /private"), False),
        (("User-agent: *", "Disallow: /privat$"), True),
        (("User-agent: *", "Disallow: /*?q="), False),
        (("User-agent: *", "Disallow: /", "Allow: /private"), True),
        (("User-agent: *", "Disallow: /private", "Allow: /private"), True),
        (("User-agent: *", "Disallow: /", "", "User-agent: feedward", "Disallow: /other"), True),
        (("User-agent: feedward", "Disallow: /", "", "User-agent: *", "Allow: /"), False),
        (("User-agent: FeedWard/2.0 (beta)", "Disallow: /"), False),
        (("User-agent: other", "User-agent: feedward", "Disallow: /"), False),
        (("User-agent: feed", "Disallow: /"), True),
        (("User-agent: feedwardbot", "Disallow: /"), True),
        (("User-agent: ward", "Disallow: /"), True),
        (("user agent feedward # us", "disallow /"), False),
        (
            ("User-agent: feedward", "Disallow: /a", "", "User-agent: x", "", "User-agent: feedward", "Disallow: /p"),
            False,
        ),
        (("\ufeffUser-agent: *", "Disallow: /"), False),
        (("User-agent: *\r", "Disallow: /\r"), False),
        (("Disallow: /",), True),
        (("Sitemap: https://a.example/map.xml", "# User-agent: *", "# Disallow: /"), True),
    ],
)
def test_functions_that_may_fetch(lines: tuple[str, ...], is_allowed: bool) -> None:
    assert robots(*lines).allowed(URL) is is_allowed


def test_the_robots_txt_itself_may_always_be_fetched() -> None:
    assert robots("User-agent: *", "Disallow: /").allowed("https://a.example/robots.txt")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("2", 2.0), ("0.5", 0.5), ("86400", LONGEST_DELAY_S), ("-1", 0.0), ("inf", 0.0), ("nan", 0.0), ("soon", 0.0)],
)
def test_crawl_delay_is_a_number_of_seconds_within_bounds(value: str, seconds: float) -> None:
    assert robots("User-agent: *", f"Crawl-delay: {value}").crawl_delay_s == seconds


def test_crawl_delay_is_that_of_the_group_that_addresses_us() -> None:
    rules = robots("User-agent: *", "Crawl-delay: 30", "", "User-agent: feedward", "Crawl-delay: 3")

    assert rules.crawl_delay_s == 3.0


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><html><body>User-agent: nobody<p>Disallow: /</body></html>",
        bytes(range(256)) * 500,
        b"\0" * 100_000,
        "User-agent: *\nDisallow: /".encode("utf-16"),
        b":" * 100_000,
    ],
    ids=["html", "binary", "nul", "utf-16", "colons"],
)
def test_a_text_that_is_no_robots_txt_allows_everything(body: bytes) -> None:
    rules = Robots(text=read_robots(body), product="feedward")

    assert rules.allowed(URL)
    assert rules.crawl_delay_s == 0.0


def test_no_more_than_500_kib_are_read() -> None:
    start = b"User-agent: *\nDisallow: /private\n"
    padding = b"#" * (BYTES_AT_MOST - len(start)) + b"\n"

    rules = Robots(text=read_robots(start + padding + b"Disallow: /late\n"), product="feedward")

    assert not rules.allowed(URL)
    assert rules.allowed("https://a.example/late")


def test_a_file_of_many_names_and_rules_is_no_product_of_both() -> None:
    """12,000 names times 12,000 rules would take minutes."""
    names = "\n".join(f"User-agent: bot{n}" for n in range(12_000))
    rules = robots(names, *(f"Disallow: /p{n}*x$" for n in range(12_000)))

    assert rules.allowed(URL)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_a_4xx_allows_everything(status: int) -> None:
    assert unreachable(failure(Outcome.CLIENT_ERROR, status=status)) is None


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Outcome.SERVER_ERROR, 500),
        (Outcome.SERVER_ERROR, 503),
        (Outcome.CHALLENGE, 503),
        (Outcome.DNS_ERROR, None),
        (Outcome.CONNECT_ERROR, None),
        (Outcome.TIMEOUT, None),
        (Outcome.TIMEOUT, 200),
        (Outcome.TRUNCATED, 200),
        (Outcome.TLS_ERROR, None),
        (Outcome.BLOCKED, None),
        (Outcome.RATE_LIMITED, 429),
    ],
)
def test_a_host_that_fails_or_cannot_be_reached_fails_the_page(outcome: Outcome, status: int | None) -> None:
    assert unreachable(failure(outcome, status=status)) is outcome


@pytest.mark.parametrize("outcome", [Outcome.BAD_REDIRECT, Outcome.REDIRECT_LOOP, Outcome.TOO_MANY_REDIRECTS])
def test_redirects_that_lead_nowhere_allow_everything(outcome: Outcome) -> None:
    assert unreachable(failure(outcome, status=302)) is None


def test_a_robots_txt_that_leads_inside_is_none() -> None:
    hops = (Hop(url="https://a.example/robots.txt", status=302),)

    assert unreachable(failure(Outcome.BLOCKED, hops=hops)) is None
