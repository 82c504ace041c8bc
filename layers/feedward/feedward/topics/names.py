"""Reads the names of topics (rules TP1, TP3): a name becomes the id of a topic of the closed list, or stays text.

Podcasts and directories write one topic in many ways: `Business:Marketing`, `society-culture`, `Health &amp;amp;
Fitness`, several in one text with commas. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from html import unescape
from typing import Final

from feedward.topics.closed_list import BY_ID, TOPICS

NAME_CHARS: Final = 80
_READ_CHARS: Final = 1000
_SILENT_WORDS: Final = frozenset({"and", "n", "the"})
_LEVELS: Final = re.compile(r"[:/>|»→\\]+|\s-+\s")
_SEVERAL: Final = re.compile(r"[,;、，；]")
_NO_WORD: Final = re.compile(r"[^\w+#.]+|_|(?<!\w)\.|\.(?!\w)")
# Placeholders that a program or a person enters if no topic was chosen.
_CHOOSE_NOTHING: Final = """
    uncategorized uncategorised unkategorisiert allgemein general default other others misc miscellaneous none blog
    blogs post posts article articles all home featured main test rss feed feeds category categories tag tags
    podcast podcasts episode episodes site updates update archive null undefined
"""
_NO_TOPICS: Final = frozenset(_CHOOSE_NOTHING.split())


def normal_topic(text: str) -> str | None:
    """Return the id of the topic that a name means, or the clean name of an unknown one. None for an empty name.

    In a path (`Business:Marketing`) the last known part counts, in a list (`Arts, Food`) the first. The function is
    idempotent.
    """
    clean = _clean(text)
    if not clean:
        return None
    return _known(clean) or next((known for part in _SEVERAL.split(clean) if (known := _known(part))), clean)


def topics_in(text: str) -> tuple[str, ...]:
    """Return all topics in a text of a feed, without duplicates: a name, a path, or a list of them.

    Placeholders such as `Uncategorized`, and names that are too long, are left out.
    """
    clean = _clean(text, at_most=_READ_CHARS)
    parts = [clean] if _known(clean) else [part.strip() for part in _SEVERAL.split(clean)]
    return tuple(dict.fromkeys(_known(part) or part for part in parts if _is_name(part)))


def label_of(topic: str) -> str:
    """Return the label of a topic for people: that of the closed list, or the name of an unknown one itself."""
    known = BY_ID.get(topic)
    return known.label if known else topic


def topic_key(topic: str) -> str:
    """Return the key that all spellings of one topic share: the id, or the words of an unknown one in lower case."""
    return topic if topic in BY_ID else name_key(topic) or topic.casefold()


def name_key(name: str) -> str:
    """Return the words of a name in lower case, without signs and `and`: `Health & Fitness` is `health fitness`."""
    words = _NO_WORD.sub(" ", unicodedata.normalize("NFKC", name).casefold()).split()
    return " ".join(word for word in words if word not in _SILENT_WORDS)


def _is_name(part: str) -> bool:
    key = name_key(part)
    return bool(key) and len(part) <= NAME_CHARS and key not in _NO_TOPICS and not key.isdecimal()


def _known(text: str) -> str | None:
    """Return the topic id of a name or of a path's last known part."""
    if known := _ids().get(name_key(text)):
        return known
    parts: Iterable[str] = reversed(_LEVELS.split(text))
    return next((known for part in parts if (known := _ids().get(name_key(part)))), None)


def _clean(text: str, *, at_most: int = NAME_CHARS) -> str:
    """Return a text unescaped at all levels, in NFC, with collapsed white space, without control characters."""
    text, before = text[:_READ_CHARS], ""
    while text != before:  # each round is shorter, or the last
        text, before = _once(text), text
    return text[:at_most].strip()


def _once(text: str) -> str:
    decoded = " ".join(unescape(text).split())
    shown = "".join(sign for sign in decoded if unicodedata.category(sign) not in {"Cc", "Cf", "Cs"})
    return unicodedata.normalize("NFC", shown)[:_READ_CHARS]


@cache
def _ids() -> dict[str, str]:
    """Return the ids by the keys of ids, labels and names."""
    ids = {name_key(name): topic.id for topic in TOPICS for name in topic.names}
    return ids | {name_key(name): topic.id for topic in TOPICS for name in (topic.id, topic.label)}
