"""Properties of every URL: results are stable, and spellings of one URL share one key (rules C3, C4)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from feedward.canonical.cleanliness import cleanliness
from feedward.errors import InvalidInput
from feedward.urls.key import key, url_hash
from feedward.urls.normalize import NormalizeOptions, normalize_url
from feedward.urls.parse import parse_url
from feedward.urls.presets import PRESETS, preset_url
from feedward.urls.repair import decode_entities, has_entity
from feedward.urls.resolve import resolve_url
from feedward.urls.rewrites import probe_urls, rewrite_url
from feedward.urls.tracking import KEY_PARAMS
from tests.unit.urls.messy import entity_soup, plain_urls, urls_as_written

CORPUS = Path(__file__).parents[4] / "shared" / "corpora" / "urls_2000.txt"

KEY_OPTIONS = NormalizeOptions(
    strip_params=KEY_PARAMS,
    strip_hash=True,
    strip_empty_query=True,
    collapse_slashes=True,
    normalize_encoding=True,
    strip_trailing_slash=True,
    sort_query=True,
)

any_options = st.builds(
    NormalizeOptions,
    **{name: st.booleans() for name in NormalizeOptions.__dataclass_fields__ if name != "strip_params"},
    strip_params=st.sampled_from([frozenset(), frozenset({"id", "utm_source"})]),
)

many = settings(max_examples=100)


@given(urls_as_written())
@many
def test_resolving_a_resolved_url_changes_nothing(text: str) -> None:
    resolved = resolve_url(text)
    if resolved is not None:
        assert resolve_url(resolved) == resolved


@given(urls_as_written(), plain_urls())
@many
def test_a_url_resolved_against_a_base_is_stable(text: str, base: str) -> None:
    """The base is the URL of a document: it is taken as it is, entities and all."""
    assume(not has_entity(base))
    resolved = resolve_url(text, base)
    if resolved is not None:
        assert resolve_url(resolved) == resolved
        assert resolve_url(resolved, base) == resolved


@given(urls_as_written())
@many
def test_resolved_urls_are_serialized_http_urls(text: str) -> None:
    resolved = resolve_url(text)
    if resolved is not None:
        parsed = parse_url(resolved)
        assert parsed is not None
        assert parsed.href == resolved
        assert resolved.startswith(("http://", "https://"))
        assert resolved.isascii()


@given(urls_as_written())
@many
def test_an_input_and_its_resolved_url_share_key_and_hash(text: str) -> None:
    resolved = resolve_url(text)
    if resolved is None:
        with pytest.raises(InvalidInput):
            key(text)
    else:
        assert key(text) == key(resolved)
        assert url_hash(text, "t") == url_hash(resolved, "t")


@given(urls_as_written())
@many
def test_the_key_of_a_key_is_the_key(text: str) -> None:
    if resolve_url(text) is not None:
        assert key(key(text)) == key(text)


@given(urls_as_written())
@many
def test_key_is_the_moderate_preset_and_the_few_things_it_adds(text: str) -> None:
    """The short way that `key` takes agrees with the long one."""
    resolved = resolve_url(text)
    if resolved is None:
        return
    parsed = parse_url(normalize_url(resolved, KEY_OPTIONS))
    assert parsed is not None
    if parsed.hostname.endswith("."):
        parsed.hostname = parsed.hostname[:-1]
    is_other_server = parsed.port == "443"
    assert key(text) == (parsed.href if is_other_server else "https" + parsed.href[parsed.href.index(":") :])


@given(plain_urls(), st.sampled_from([80, 443]))
@many
def test_http_and_https_share_a_key_unless_a_port_tells_them_apart(url: str, port: int) -> None:
    resolved = resolve_url(url)
    assert resolved is not None
    parsed = parse_url(resolved)
    assert parsed is not None
    if parsed.port not in ("80", "443"):
        parsed.protocol = "http" if parsed.protocol == "https:" else "https"
        assert key(parsed.href) == key(url)
    else:
        assert key(url) != key(url.replace(":80", "", 1).replace(":443", "", 1))


@given(urls_as_written(), st.sampled_from(sorted(PRESETS)))
@example("http://example.com../feed", "aggressive")
@many
def test_a_preset_of_a_preset_is_the_preset(text: str, name: str) -> None:
    if resolve_url(text) is not None:
        once = preset_url(text, name)
        parsed = parse_url(once)
        assert parsed is not None
        assert parsed.href == once
        assert preset_url(once, name) == once


@given(plain_urls(), any_options)
@many
def test_normalizing_twice_is_normalizing_once(url: str, options: NormalizeOptions) -> None:
    once = normalize_url(url, options)
    again = f"{url.partition('://')[0]}://{once}" if options.strip_protocol else once
    assert normalize_url(again, options) == once


@given(plain_urls(), st.sampled_from(sorted(PRESETS)))
@many
def test_presets_keep_every_byte_and_the_order_of_surviving_pairs(url: str, name: str) -> None:
    sent, kept = parse_url(url), parse_url(preset_url(url, name))
    assert sent is not None
    assert kept is not None
    left = iter(sent.search[1:].split("&"))
    assert all(pair in left for pair in kept.search[1:].split("&") if pair)


@given(urls_as_written())
@many
def test_rewriting_a_rewritten_url_changes_nothing(text: str) -> None:
    once = rewrite_url(text)
    assert rewrite_url(once) == once


@given(
    st.sampled_from(
        ["http://feedproxy.google.com", "https://x.blogspot.co.uk", "http://blogger.com", "https://a.b.blogspot.de."]
    ),
    st.one_of(st.sampled_from(["/rss.xml", "/atom.xml/", "//feeds//posts/default/"]), st.just("/x%7e")),
    st.lists(st.sampled_from(["alt=rss", "alt=json", "alt", "v=2", "a=1", "redirect=false", ""]), max_size=4),
)
def test_rewriting_a_platforms_url_twice_changes_nothing(host: str, path: str, pairs: list[str]) -> None:
    once = rewrite_url(f"{host}{path}?{'&'.join(pairs)}")
    assert rewrite_url(once) == once
    assert once.startswith("http")


@given(urls_as_written())
@many
def test_no_text_at_all_makes_the_pure_functions_fail_otherwise_than_by_invalid_input(text: str) -> None:
    rewrite_url(text)
    probe_urls(text)
    for function in (key, cleanliness):
        with suppress(InvalidInput):
            function(text)


@given(entity_soup())
@many
def test_decoding_entities_leaves_none(text: str) -> None:
    decoded = decode_entities(text)
    assert not has_entity(decoded)
    assert decode_entities(decoded) == decoded


def corpus() -> list[str]:
    if not CORPUS.exists():
        pytest.skip("the optional corpora are not at ../shared/corpora")
    return CORPUS.read_text().splitlines()


def test_the_corpus_is_stable_too() -> None:
    for url in corpus():
        resolved = resolve_url(url)
        assert resolved is not None
        assert resolve_url(resolved) == resolved
        assert key(key(url)) == key(resolved) == key(url)
        for name in PRESETS:
            assert preset_url(preset_url(url, name), name) == preset_url(url, name)
            assert key(preset_url(url, "conservative")) == key(preset_url(url, "moderate"))
