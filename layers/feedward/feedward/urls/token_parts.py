"""A URL split into parts, with the positions of its tokens (rule T4). Pure.

Tokens in path segments are found by the platform, by their own form, or by the segment before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, unquote_plus

_CHARACTERS = re.compile(r"[A-Za-z0-9_~+/.|-]+")
_BETWEEN_PIECES = re.compile(r"[-_.~+/|]+")
# A word with at most two digits after it, words in camel case, a number, a date or an ordinal.
_PLAIN = re.compile(r"[a-z]*(?:[A-Z]+[a-z]{2,}|[A-Z][a-z])*[A-Z]*")
_DIGITS_AFTER_WORD = re.compile(r"(?:(?<=[A-Za-z]{3})[0-9]{1,2}|(?<=[A-Za-z])[0-9])$")
_NUMBER = re.compile(r"[0-9]{1,8}(?:st|nd|rd|th)?")


def looks_random(value: str, *, at_least: int) -> bool:
    """Return whether `value` has `at_least` characters and a piece that is neither words nor a short number.

    `9f3a71c2`, a UUID and padded base64 are random; `the-2024-season`, `MyPodcast2` and `20240902` are not.
    """
    padded = unquote(value)
    text = padded.rstrip("=")
    if len(padded) < at_least or not _CHARACTERS.fullmatch(text):
        return False
    return text != padded or not all(map(_is_plain, _BETWEEN_PIECES.split(text)))


def _is_plain(piece: str) -> bool:
    return bool(_NUMBER.fullmatch(piece) or _PLAIN.fullmatch(_DIGITS_AFTER_WORD.sub("", piece)))


# Tokens by form, without further evidence (rule T4.3): a signed token in three parts, GitHub and GitLab tokens.
TOKEN_BY_FORM: Final = re.compile(
    r"eyJ[\w-]{4,}\.[\w-]{4,}\.[\w-]{4,}(?:\.\w{2,4})?"
    r"|gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{16,}"
    r"|gl(?:pat|ft|dt|rt|oas|cbt|ptt|imt|soat|agent|ffct)-[\w-]{8,}"
)
_WORD = re.compile(r"(?:(?:private|premium|subscriber|member|patron|token|secret)s?|patreon)", re.IGNORECASE)
_SAYS_TOKEN = re.compile(rf"{_WORD.pattern}(?:[-_]?(?:feeds?|rss|podcasts?|only))?", re.IGNORECASE)
_WORD_IN_SEGMENT = re.compile(rf"(?:.*[-_.])?{_WORD.pattern}(?:[-_.].*)?", re.IGNORECASE)
_WORD_AND_HEX = re.compile(rf"{_WORD.pattern}[-_:]([0-9a-f]{{8,}}|(?=[a-f]*[0-9])[0-9a-f]{{5,7}})", re.IGNORECASE)
_EXTENSION = re.compile(r"\.(?:rss|xml|atom|json|rdf|ics|opml|php|html?)$", re.IGNORECASE)
_FILE_NAMES = frozenset(("", "atom", "basic", "feed", "index", "podcast", "rss"))
_NEXT_CHARACTERS = 6
_LATER_CHARACTERS = 16

# Capitals, small letters and numbers, mixed.
_MIXED: Final = r"(?=[^/]*[0-9][A-Za-z])(?=[^/]*[A-Z])(?=[^/]*[a-z])[A-Za-z0-9]{10,24}"
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
        ("instapaper.com", r".*/rss/[0-9]+/(.+)"),
        ("www.google.com", r"/calendar/.*/(private-[^/]+)"),
        ("rss.plex.tv", r"/(.+)"),
        ("newsblur.com", r"/reader/[a-z]+_rss/[0-9]+/([^/]+)"),
        ("instapaper.com", r"(?:.*/)?rss/[0-9]+/([^/]+)"),
        ("torrentleech.org", r"/([0-9a-f]{20})"),
        ("animebytes.tv", r"/feed/[^/]+/([^/]{20,})"),
        ("rss.uptimerobot.com", r"/(u[0-9]+-.+)"),
        # of software on any host: Moodle, Canvas, linkding, wallabag, UNIT3D
        ("", r".*/rss/file\.php/[0-9]+/([0-9a-f]{32})/.*"),
        ("", r".*/feeds/[a-z_]+/([a-z]+_(?=[^/]{0,80}[0-9])[A-Za-z0-9]{30,80}\.(?:atom|ics))$"),
        ("", r".*/feeds/([0-9a-f]{40})/[a-z]+$"),
        ("", rf".*/feed/[^/]+/({_MIXED})/(?:unread|starred|archive|all|annotated|tags)(?:/|$)"),
        ("", rf"(?:.*/)?[^/]+/({_MIXED})/(?:(?:unread|starred|archive|all)\.xml|tags/[^/]+\.xml)$"),
        ("", r".*/rss/([0-9]+\.[A-Za-z0-9]{32})$"),
        # of Outlook and Exchange: the calendar that a person published
        ("", r".*/owa/calendar/([^/]+/.+)/[a-z]*calendar\.(?:ics|html)$"),
        ("trello.com", r"/calendar/.*/([0-9a-f]{32}(?:\.ics)?)"),
        ("meetup.com", r"/events/ical/[0-9]+/([0-9a-f]{20,})"),
        ("teamup.com", r"/feed/(ks[0-9a-z]+)/.*"),
        ("", r".*/ical/((?=[^/]*[0-9])(?=[^/]*[a-z])[0-9A-Za-z]{16,64}(?:\.ics)?)(?:/.*)?"),
        ("helloaudio.fm", r"/feed/([^/]+).*"),
        ("myanonamouse.net", r"/rss/([^/]+)"),
        # Who has the address of such an inbox can read it, write to it and end its subscriptions.
        ("kill-the-newsletter.com", r"/feeds/([a-z0-9]{16,})"),
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
        before_word = at == len(segments) - 2 and _WORD.fullmatch(_stem(segments[-1])) is not None
        next_to_word |= before_word and looks_random(segment, at_least=_LATER_CHARACTERS)
        if after_word or next_to_word or TOKEN_BY_FORM.fullmatch(segment) or _WORD_AND_HEX.fullmatch(_stem(segment)):
            yield at
        is_just_said = _SAYS_TOKEN.fullmatch(_stem(segment)) is not None
        is_said = is_said or _WORD_IN_SEGMENT.fullmatch(segment) is not None


def _is_under(host: str, domain: str) -> bool:
    return not domain or host == domain or host.endswith(f".{domain}")


def _is_no_file_name(segment: str) -> bool:
    return _stem(segment) not in _FILE_NAMES


def _stem(segment: str) -> str:
    return _EXTENSION.sub("", segment)


MASK: Final = "..."
"""Replaces a token in a masked URL."""

# As a word of the name, or at its end (rule T4.1): feed_token, accessToken, auth, api-key, apikey, passkey.
_SECRET = re.compile(
    r"(?:^|[-_.\[])(?:auth|oauth|bearer|jwt|pwd|passwd|sig|signature|hmac|credentials?)(?:$|[-_.\]])"
    r"|(?:token|secret|password|passphrase|passcode|torrent[-_.]?pass|private[-_.]?rss)\]?$"
    r"|(?:api|access|auth|feed|rss|user|member|subscriber|private|priv|secret|security|share|passphrase|pass)[-_.]?key\]?$"
    r"|^(?:rlkey|resourcekey|slurm|otp|hdn(?:ts|ea|tl))$"
)
# These names may hold any value, such as a search term: only a long value that looks random is a token.
_PERHAPS = re.compile(
    r"(?:^|[-_.])(?:key|pass|sid|sess|session|sso|ticket|hash)$|^(?:user|member|feed|rss|auth)hash$|^(?:feed|rss)$"
    r"|sess(?:ion)?[-_.]?id$|^aspsessionid[a-z]*$|^(?:magic|pat|(?:subscriber|member)[-_]?id)$"
)
# Short names that forums and indexers give their tokens, and others give anything: only a value of 32 digits counts.
_SHORT_NAMES = frozenset(("s", "r", "h", "k", "t", "tp", "pk", "sk", "api", "slr"))
_DIGEST = re.compile(r"(?=[a-f]*[0-9])[0-9a-f]{32,64}", re.IGNORECASE)
_USER = frozenset({"user", "username", "user_id", "userid", "uid", "login", "email", "member", "subscriber"})
_RANDOM_CHARACTERS = 16
_CHARACTERS_BESIDE_USER = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlParts:
    """A URL or any other text, split. `head` is the text before the path; the positions are those of tokens."""

    head: str
    segments: Sequence[str]
    pairs: Sequence[str]
    secret_segments: frozenset[int]
    secret_pairs: frozenset[int]

    @classmethod
    def of(cls, url: str) -> UrlParts:
        rest, _, query = url.partition("#")[0].partition("?")
        scheme, slashes, after = rest.partition("//")
        host, slash, path = after.partition("/") if slashes else ("", "", rest)
        segments, pairs = f"{slash}{path}".split("/"), query.split("&") if query else []
        name = host.rpartition("@")[2].partition(":")[0].rstrip(".").lower()
        return cls(
            head=f"{scheme}{slashes}{host}" if slashes else "",
            segments=segments,
            pairs=pairs,
            secret_segments=token_segments(name, segments) | _with_token_parameters(name, segments),
            secret_pairs=_token_pairs(name, pairs),
        )

    @property
    def has_token(self) -> bool:
        return bool(self.secret_segments or self.secret_pairs)

    @property
    def is_masked(self) -> bool:
        return MASK in self.segments or MASK in (pair.partition("=")[2] for pair in self.pairs)

    def masked_path(self) -> str:
        shown = (MASK if at in self.secret_segments else each for at, each in enumerate(self.segments))
        return self.head + "/".join(shown)

    def masked(self) -> str:
        """Return the URL without fragment, its tokens masked."""
        query = "&".join(
            f"{pair.partition('=')[0]}={MASK}" if at in self.secret_pairs else pair
            for at, pair in enumerate(self.pairs)
        )
        return f"{self.masked_path()}?{query}" if query else self.masked_path()


def _with_token_parameters(host: str, segments: Sequence[str]) -> frozenset[int]:
    """Return the positions of segments with a token in their own parameter (`feed;jsessionid=1f3a`)."""
    return frozenset(at for at, each in enumerate(segments) if ";" in each and _token_pairs(host, each.split(";")[1:]))


def _token_pairs(host: str, pairs: Sequence[str]) -> frozenset[int]:
    """Return the positions of the tokens in a query; a user name next to a token is personal too."""
    split = [(at, part.partition("=")) for at, pair in enumerate(pairs) for part in pair.split(";")]
    named = [(at, unquote_plus(name), value) for at, (name, _, value) in split if value]
    users = {at for at, name, _ in named if name.lower() in _USER}
    is_of_account = bool(users) or any((name, value) == ("op", "rss") for _, name, value in named)  # Tiny Tiny RSS
    tokens = {at for at, name, value in named if _is_token(host, name, value, has_user=is_of_account)}
    return frozenset(tokens | users if tokens else ())


def _is_token(host: str, name: str, value: str, *, has_user: bool) -> bool:
    name = name.lower().strip("_")
    if _SECRET.search(name) or TOKEN_BY_FORM.fullmatch(value):
        return True
    if has_user and (name in ("pass", "pw") or (name == "feed" and _is_reddit(host))):
        return True
    if name in _SHORT_NAMES:
        is_of_user = has_user and name == "t" and looks_random(value, at_least=_SHORT_TOKEN)  # FreshRSS
        return is_of_user or _DIGEST.fullmatch(value) is not None
    at_least = _CHARACTERS_BESIDE_USER if has_user else _RANDOM_CHARACTERS
    return _PERHAPS.search(name) is not None and looks_random(value, at_least=at_least)


def _is_reddit(host: str) -> bool:
    return host == "reddit.com" or host.endswith(".reddit.com")
