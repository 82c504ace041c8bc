"""Language tags have the form of BCP 47; all other text is none."""

from __future__ import annotations

import pytest

from feedward.feeds.language import language_tag
from feedward.feeds.parse import parse_feed
from feedward.model import Feed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DE", "de"),
        (" en-US\n", "en-us"),
        ("pt_BR", "pt-br"),
        ("zh-Hant", "zh-hant"),
        ("zh-cmn-Hans-CN", "zh-cmn-hans-cn"),
        ("es-419", "es-419"),
        ("de_DE_formal", "de-de-formal"),
        ("de-CH-1996", "de-ch-1996"),
        ("de-DE-u-co-phonebk", "de-de-u-co-phonebk"),
        ("en-x-twain", "en-x-twain"),
        ("i-klingon", "i-klingon"),
        ("en-GB-oed", "en-gb-oed"),
        *((text, None) for text in ("x-default", "", None, "e", "English", "en, fr", "en us", "en--us", "en-", "-en")),
        *((text, None) for text in ("pt_BR.UTF-8", "sr@latin", "*", "e1", "日本語", "<b>en</b>", "en-" + "a" * 60)),
    ],
)
def test_a_language_tag_has_its_form_or_is_none(text: str | None, expected: str | None) -> None:
    assert language_tag(text) == expected


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("<rss><channel><title>t</title><language>English</language></channel></rss>", None),
        ("<rss><channel><language>English</language><dc:language>en</dc:language></channel></rss>", "en"),
        ("<rss xml:lang='fr_FR'><channel><language>Deutsch!</language></channel></rss>", "fr-fr"),
        ("<feed xml:lang='none of them'><title>t</title></feed>", None),
        ('{"version": "https://jsonfeed.org/version/1.1", "items": [], "language": "en_GB"}', "en-gb"),
        ('{"version": "https://jsonfeed.org/version/1.1", "items": [], "language": "British"}', None),
    ],
)
def test_a_feed_says_its_language_or_none(document: str, expected: str | None) -> None:
    found = parse_feed(document.encode())
    assert isinstance(found, Feed), found
    assert found.language == expected
