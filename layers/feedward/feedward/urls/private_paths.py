"""Finds tokens in path segments: by the platform, by their own form, or by the segment before (rule T4). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from feedward.urls.random_value import looks_random

# Tokens by form, without further evidence (rule T4.3): a signed token in three parts, GitHub and GitLab tokens.
TOKEN_BY_FORM: Final = re.compile(
    r"eyJ[\w-]{4,}\.[\w-]{4,}\.[\w-]{4,}(?:\.\w{2,4})?"
    r"|gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{16,}"
    r"|gl(?:pat|ft|dt|rt|oas|cbt|ptt|imt|soat|agent|ffct)-[\w-]{8,}"
)
_WORD = re.compile(r"(?:private|premium|subscriber|member|patron|token)s?", re.IGNORECASE)
_WORD_IN_SEGMENT = re.compile(rf"(?:.*[-_.])?{_WORD.pattern}(?:[-_.].*)?", re.IGNORECASE)
_WORD_AND_HEX = re.compile(rf"{_WORD.pattern}-([0-9a-f]{{8,}}|(?=[a-f]*[0-9])[0-9a-f]{{5,7}})", re.IGNORECASE)
_EXTENSION = re.compile(r"\.(?:rss|xml|atom|json|rdf|ics|opml|php|html?)$", re.IGNORECASE)
_FILE_NAMES = frozenset(("", "atom", "basic", "feed", "index", "podcast", "rss"))
_NEXT_CHARACTERS = 6
_LATER_CHARACTERS = 16

# Each host, or domain after a dot, with the path of its private feeds (rule T4.4): the group is the personal part.
_PLATFORMS: Final = tuple(
    (host, re.compile(path))
    for host, path in (
        ("substack.com", r".*?/private/(.+)"),
        ("supportingcast.fm", r"/content/(eyJ.+)"),
        ("supercast.com", r"/(?:feeds?|rss|podcasts?)/(.+)"),
        ("supercast.tech", r"/(?:feeds?|rss|podcasts?)/(.+)"),
        ("access.acast.com", r"/rss/(.+)"),
        ("passport.online", r"/feed/(?:rss|podcast)/(.+)"),
        ("subscribers.transistor.fm", r"/(.+)"),
        ("calendar.google.com", r".*/(private-[^/]+)"),
        ("pinboard.in", r".*/(secret:[^/]+)"),
        ("feedbin.com", r"/starred/(.+)"),
        ("www.google.com", r"/calendar/.*/(private-[^/]+)"),
    )
)
# On these hosts, every segment that looks random belongs to a subscriber.
_SUBSCRIBERS_ONLY: Final = ("supercast.com", "supercast.tech", "memberful.com")
_SHORT_TOKEN = 8


def token_segments(host: str, segments: Sequence[str]) -> frozenset[int]:
    """Return the positions of the `segments` of a path that are tokens."""
    return frozenset(_by_platform(host, segments)) | frozenset(_by_themselves(segments))


def _by_platform(host: str, segments: Sequence[str]) -> Iterator[int]:
    path = "/".join(segments)
    for domain, private in _PLATFORMS:
        found = private.match(path) if _is_under(host, domain) else None
        if found:
            first, last = path.count("/", 0, found.start(1)), path.count("/", 0, found.end(1))
            yield from (at for at in range(first, last + 1) if _is_no_file_name(segments[at]))
    if any(_is_under(host, domain) for domain in _SUBSCRIBERS_ONLY):
        yield from (at for at, segment in enumerate(segments) if looks_random(_stem(segment), at_least=_SHORT_TOKEN))


def _by_themselves(segments: Sequence[str]) -> Iterator[int]:
    """Judge each segment by its form and by the words before: a UUID alone is not a token (rules T4.2, T4.3, T4.5)."""
    is_said, is_just_said = False, False
    for at, segment in enumerate(segments):
        after_word = is_said and looks_random(_stem(segment), at_least=_LATER_CHARACTERS)
        next_to_word = is_just_said and looks_random(_stem(segment), at_least=_NEXT_CHARACTERS)
        if after_word or next_to_word or TOKEN_BY_FORM.fullmatch(segment) or _WORD_AND_HEX.fullmatch(segment):
            yield at
        is_just_said = _WORD.fullmatch(segment) is not None
        is_said = is_said or _WORD_IN_SEGMENT.fullmatch(segment) is not None


def _is_under(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")


def _is_no_file_name(segment: str) -> bool:
    return _stem(segment) not in _FILE_NAMES


def _stem(segment: str) -> str:
    return _EXTENSION.sub("", segment)
