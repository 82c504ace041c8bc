"""Stack Exchange: every site of the network has feeds of its questions, tags, single questions and users."""

from __future__ import annotations

import re
from collections.abc import Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.platforms.rule import Platform, Proposal
from feedward.discovery.url_patterns import host_of, names, query_value, segments
from feedward.urls.parse import Url

_DOMAINS = (
    "stackoverflow.com",
    "stackexchange.com",
    "serverfault.com",
    "superuser.com",
    "askubuntu.com",
    "mathoverflow.net",
    "stackapps.com",
)
_NO_NAMES = names("api area51 area51.meta blog chat chat.meta contests data dev elections openid")
_NO_SITES = frozenset(f"{name}.{domain}" for name in _NO_NAMES for domain in _DOMAINS) | {"stackexchange.com"}
_NUMBER = re.compile(r"[0-9]{1,12}").fullmatch
_TABS = {"Bounties": "featured", "Featured": "featured", "Hot": "hot", "Week": "week", "Month": "month"}


def _stack_exchange(url: Url) -> Sequence[Proposal]:
    host = host_of(url).replace(".m.", ".")
    if host in _NO_SITES:
        return ()
    root = f"https://{host}"
    match segments(url):
        case [] | ["questions"]:
            return _questions(root, url)
        case ["questions", "tagged", tags, *_] | ["tags", tags, *_]:
            return (Proposal(url=_tagged(root, tags), kind=Kind.TAG, what="tag"),)
        case ["questions" | "q", number, *_] if _NUMBER(number):
            return (Proposal(url=f"{root}/feeds/question/{number}", kind=Kind.TOPIC, what="answers"),)
        case ["users" | "u", number, *_] if _NUMBER(number):
            return (Proposal(url=f"{root}/feeds/user/{number}", what="activity"),)
    return ()


def _questions(root: str, url: Url) -> Sequence[Proposal]:
    newest = Proposal(url=f"{root}/feeds", what="questions")
    tab = _TABS.get(query_value(url, "tab").capitalize())
    if tab is None:
        return (newest,)
    return (Proposal(url=f"{root}/feeds/{tab}", what=f"{tab} questions"), newest)


def _tagged(root: str, tags: str) -> str:
    """Return the feed of tags. One tag is in the path; several are in the query: python+django, python+or+django."""
    several = tags.replace("%20", "+")
    if "+" not in several:
        return f"{root}/feeds/tag/{tags}"
    words = [word for word in several.split("+") if word and word != "and"]
    joined = "+".join(words) if "or" in words else "+and+".join(words)
    return f"{root}/feeds/tag?tagnames={joined.replace('&', '%26')}&sort=newest"


def _chat(url: Url) -> Sequence[Proposal]:
    match segments(url):
        case ["rooms", number, *_] if _NUMBER(number):
            return (Proposal(url=f"https://{host_of(url)}/feeds/rooms/{number}", what="messages of the room"),)
    return ()


RULES: tuple[Platform, ...] = (
    Platform(
        name="stack exchange",
        hosts=(*_DOMAINS, *(f".{domain}" for domain in _DOMAINS)),
        feeds=_stack_exchange,
    ),
    Platform(name="stack exchange chat", hosts=("chat.stackexchange.com", "chat.stackoverflow.com"), feeds=_chat),
)
