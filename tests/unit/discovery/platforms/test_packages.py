from __future__ import annotations

import pytest

from feedward.discovery.platforms.index import platform_leads


@pytest.mark.parametrize(
    ("url", "first"),
    [
        ("https://pypi.org/project/requests/", "https://pypi.org/rss/project/requests/releases.xml"),
        (
            "https://pypi.org/project/Zope.Interface/5.0/#files",
            "https://pypi.org/rss/project/Zope.Interface/releases.xml",
        ),
        ("https://PyPI.org/p/x", "https://pypi.org/rss/project/x/releases.xml"),
        ("https://pypi.python.org/pypi/x/1.0", "https://pypi.org/rss/project/x/releases.xml"),
        ("https://test.pypi.org/project/x", "https://test.pypi.org/rss/project/x/releases.xml"),
        ("https://pypi.org/", "https://pypi.org/rss/updates.xml"),
        ("https://crates.io/crates/serde/1.0.0", "https://static.crates.io/rss/crates/serde.xml"),
        ("https://crates.io/", "https://static.crates.io/rss/updates.xml"),
        ("https://rubygems.org/gems/rails", "https://rubygems.org/gems/rails/versions.atom"),
        ("https://rubygems.org/gems/rails/versions/7.0.0", "https://rubygems.org/gems/rails/versions.atom"),
        ("https://packagist.org/packages/a/b", "https://packagist.org/feeds/package.a/b.rss"),
        ("https://packagist.org/packages/a/", "https://packagist.org/feeds/vendor.a.rss"),
    ],
)
def test_a_package_has_its_releases(url: str, first: str) -> None:
    assert platform_leads(url)[0].url == first


@pytest.mark.parametrize(
    "url",
    [
        *("https://pypi.org/search/?q=x", "https://pypi.org/user/someone/", "https://pypi.org/help/"),
        *(
            "https://pypi.org/rss/updates.xml",
            "https://pypi.org/rss/project/x/releases.xml",
            "https://pypi.org/project/",
        ),
        *("https://crates.io/teams/x", "https://rubygems.org/gems", "https://rubygems.org/gems/rails/versions.atom"),
        *("https://packagist.org/explore/", "https://packagist.org/feeds/package.a/b.rss"),
    ],
)
def test_other_pages_and_feeds_have_none(url: str) -> None:
    assert platform_leads(url) == []
