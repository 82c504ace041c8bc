"""Each option has the effect of its name, and no other (rules C2, C3)."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from publicsuffixlist import PSLFILE

from feedward.errors import InvalidInput
from feedward.urls.hosts import registrable_domain, without_www
from feedward.urls.normalize import NormalizeOptions, normalize_url, one_spelling

NOTHING = NormalizeOptions()
MESSY = "https://u:p@www.example.com:8080//A%2f%7e//b/?utm_source=x&Z=1&a=&&B=%2f#top"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, MESSY),
        ({"strip_protocol": True}, MESSY.removeprefix("https://")),
        ({"strip_authentication": True}, MESSY.replace("u:p@", "")),
        ({"strip_www": True}, MESSY.replace("www.", "")),
        ({"strip_trailing_slash": True}, MESSY.replace("/?", "?")),
        ({"strip_root_slash": True}, MESSY),
        ({"collapse_slashes": True}, "https://u:p@www.example.com:8080/A%2f%7e/b/?utm_source=x&Z=1&a=&&B=%2f#top"),
        ({"strip_hash": True}, MESSY.removesuffix("#top")),
        ({"sort_query": True}, "https://u:p@www.example.com:8080//A%2f%7e//b/?B=%2f&Z=1&a=&utm_source=x#top"),
        ({"strip_params": frozenset({"UTM_source", "z"})}, MESSY.replace("utm_source=x&Z=1&", "")),
        ({"strip_query": True}, "https://u:p@www.example.com:8080//A%2f%7e//b/#top"),
        ({"strip_empty_query": True}, MESSY),
        ({"lowercase_query": True}, MESSY.replace("Z=1", "z=1").replace("B=", "b=")),
        ({"normalize_encoding": True}, MESSY.replace("A%2f%7e", "A%2F~")),
        ({"normalize_unicode": True}, MESSY),
    ],
)
def test_an_option_changes_only_the_part_that_it_names(options: dict[str, object], expected: str) -> None:
    assert normalize_url(MESSY, replace(NOTHING, **options)) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "options", "expected"),
    [
        ("https://example.com/", {"strip_root_slash": True}, "https://example.com"),
        ("https://example.com/?", {"strip_root_slash": True, "strip_empty_query": True}, "https://example.com"),
        ("https://example.com/?a", {"strip_root_slash": True}, "https://example.com/?a"),
        ("https://example.com/#a", {"strip_root_slash": True}, "https://example.com/#a"),
        ("https://example.com/", {"strip_trailing_slash": True}, "https://example.com/"),
        ("https://example.com//", {"strip_trailing_slash": True}, "https://example.com/"),
        ("https://example.com/a//", {"strip_trailing_slash": True}, "https://example.com/a"),
        ("https://example.com/a?", {"strip_empty_query": True}, "https://example.com/a"),
        ("https://example.com/a?#x", {"strip_hash": True}, "https://example.com/a?"),
        (
            "https://example.com/a?utm_source=1#x",
            {"strip_params": frozenset({"utm_source"})},
            "https://example.com/a#x",
        ),
        ("https://example.com/cafe%CC%81/e\u0301", {"normalize_unicode": True}, "https://example.com/caf%C3%A9/%C3%A9"),
        ("https://example.com/%41%CC%81/%FF%CC", {"normalize_unicode": True}, "https://example.com/%41%CC%81/%FF%CC"),
        (
            "https://example.com/a?Lt;=1&B&a&A",
            {"sort_query": True, "lowercase_query": True},
            "https://example.com/a?lt;=1&a&a&b",
        ),
    ],
)
def test_options_at_their_edges(url: str, options: dict[str, object], expected: str) -> None:
    assert normalize_url(url, replace(NOTHING, **options)) == expected  # type: ignore[arg-type]


def test_a_text_that_is_no_url_is_repaired_first_and_a_url_is_not() -> None:
    assert normalize_url("example.com/feed", NOTHING) == "https://example.com/feed"
    assert normalize_url("https://example.com/?a&amp;b", NOTHING) == "https://example.com/?a&amp;b"


def test_an_invalid_url_names_the_field() -> None:
    with pytest.raises(InvalidInput) as raised:
        normalize_url("mailto:a@example.com", NOTHING)
    assert raised.value.field == "url"


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("www.example.com", "example.com"),
        ("www.blog.example.co.uk", "blog.example.co.uk"),
        ("www.www.example.com", "example.com"),
        ("www.example.com.", "example.com."),
        ("www.example.unknown", "example.unknown"),
        ("www.xn--mnchen-3ya.de", "xn--mnchen-3ya.de"),
        ("www.x.github.io", "x.github.io"),
        ("www.com", "www.com"),
        ("www.www.com", "www.com"),
        ("www.co.uk", "www.co.uk"),
        ("www.co.uk.", "www.co.uk."),
        ("www.github.io", "www.github.io"),
        ("www.blogspot.com", "www.blogspot.com"),
        ("www.xn--55qx5d.cn", "www.xn--55qx5d.cn"),
        ("www.foo.ck", "www.foo.ck"),
        ("www.ck", "www.ck"),
        ("www.localhost", "www.localhost"),
        ("www..com", "www..com"),
        ("www.", "www."),
        ("www", "www"),
        ("www2.example.com", "www2.example.com"),
        ("www3288.com", "www3288.com"),
        ("wwwexample.com", "wwwexample.com"),
        ("192.0.2.4", "192.0.2.4"),
    ],
)
def test_www_goes_only_where_a_registrable_name_remains(host: str, expected: str) -> None:
    assert without_www(host) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/%7Euser/%2d%2E%5f", "/~user/-._"),
        ("/a%2fb%3f%23%3B%25%20", "/a%2Fb%3F%23%3B%25%20"),
        ("/100%", "/100%25"),
        ("/%%%", "/%25%25%25"),
        ("/%zz%4", "/%25zz%254"),
        ("/%2%35", "/%2525"),
        ("/%c3%a9%ff", "/%C3%A9%FF"),
        ("/+'!$&()*,;=:@[]|^", "/+'!$&()*,;=:@[]|^"),
        ("/&%6ct;&%61mp;&%6eosuch;", "/&%6Ct;&%61mp;&nosuch;"),
    ],
)
def test_percent_escapes_of_a_path_have_one_spelling(path: str, expected: str) -> None:
    """Where decoding would make an HTML entity, which a later repair would decode, the escape stays."""
    assert one_spelling(path) == expected
    assert one_spelling(expected) == expected


def test_the_public_suffixes_are_those_of_the_list_in_letters_and_as_hosts_write_them() -> None:
    lines = Path(PSLFILE).read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith(("//", "*", "!"))]
    for rule in [each for each in rules if not each.isascii()] + rules[::100]:
        written = rule.encode("idna").decode()
        assert registrable_domain(f"www.blog.{rule}") == f"blog.{rule}"
        assert registrable_domain(f"www.blog.{written}") == f"blog.{written}"
    assert registrable_domain("www.city.kobe.jp") == "city.kobe.jp"


def test_the_public_suffix_list_is_loaded_when_the_first_www_is_seen() -> None:
    """It takes tens of milliseconds, which a cold start that meets no `www.` does not pay."""
    program = (
        "import sys; from feedward.urls.presets import preset_url; preset_url('https://example.com/a/', 'aggressive');"
        "before = 'publicsuffixlist' in sys.modules; preset_url('https://www.example.com/', 'aggressive');"
        "print(before, 'publicsuffixlist' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
