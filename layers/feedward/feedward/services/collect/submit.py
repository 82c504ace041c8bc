"""Submits URLs to the frontier: each is validated on its own, becomes a row, and is sent (POST /v1/frontier).

A row is written before its message is sent, and is due a little after the message can be read: if the message is lost,
the due index has the row (rule I7). A row whose wait exceeds the longest message delay is due when its host is free.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import FeedwardError, InvalidInput
from feedward.frontier.item_links import ItemLinks
from feedward.frontier.messages import row_pace
from feedward.frontier.row import FrontierRow, Submitted, address_of
from feedward.scheduling.lateness import LEAST_AHEAD_S
from feedward.scheduling.message_plan import Plan, planned
from feedward.scheduling.messages import WorkMessage
from feedward.services.collect.ports import CollectPorts
from feedward.ulid import new_ulid
from feedward.urls.compare import without_root_dot
from feedward.urls.resolve import resolve_input
from feedward.urls.safety import DEFAULT_POLICY, MAX_URL_CHARS, UrlPolicy, refuse_userinfo
from feedward.urls.secrets import has_token

Entry = Submitted | InvalidInput
# A row as given, with the store's answer; or the store's error.
_Answer = tuple[FrontierRow, Submitted] | FeedwardError

_IN_FLIGHT: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A URL that can become a row, in its form for the fetch, without fragment.

    `owner` is the tenant of a URL with a token, which is private to that tenant (rule T1); `url_hash` includes it.
    `scheme_open`: the URL says https, but http may be meant (rule C5).
    """

    url: str
    url_hash: str
    host: str
    owner: str | None
    scheme_open: bool = False


def judge(url: object, field: str, tenant_id: str | None, policy: UrlPolicy = DEFAULT_POLICY) -> Judged | InvalidInput:
    """Return the row that a URL becomes, or the error, which names `field`, such as `urls[3]`."""
    if not isinstance(url, str):
        return InvalidInput(field, "expected a text")
    if _is_no_text(url):  # encoding would change the URL
        return InvalidInput(field, "expected Unicode text, found half of a surrogate pair")
    resolved = resolve_input(url) if len(url) <= 2 * MAX_URL_CHARS else None
    if resolved is None:
        return InvalidInput(field, "this is not an http(s) URL")
    refusal = refuse_userinfo(url)
    if refusal is not None:
        return InvalidInput(field, refusal.detail)
    owner = tenant_id if tenant_id and has_token(resolved.url) else None
    try:
        address = address_of(without_root_dot(resolved.url), owner=owner, field=field, policy=policy)
    except InvalidInput as error:
        return error
    is_open = resolved.may_be_http
    return Judged(url=address.url, url_hash=address.url_hash, host=address.host, owner=owner, scheme_open=is_open)


def _is_no_text(url: str) -> bool:
    return not url.isascii() and any("\ud800" <= character <= "\udfff" for character in url)


def submit(
    urls: Sequence[object],
    *,
    tenant_id: str | None,
    ports: CollectPorts,
    runs: frozenset[str] = frozenset(),
    busy: MutableMapping[str, int] | None = None,
    deadline: Deadline = NO_DEADLINE,
) -> tuple[Entry, ...]:
    """Submit URLs. Return for each of them, in order, its row, or the InvalidInput that names it (`urls[3]`).

    `runs` wait for the rows. URLs with the same key become one row, made from the first of them. A row with too many
    waiting runs is an InvalidInput too. `busy` maps hosts to the epoch second until which earlier submissions occupy
    them; it is updated. If the queue does not accept a message, its rows stay in the due index.

    Raises the errors of the store, after all other rows are submitted: then the call can be repeated.
    """
    judged = [judge(url, f"urls[{place}]", tenant_id, ports.url_policy) for place, url in enumerate(urls)]
    now = ports.clock.now()
    rows = _new_rows((each for each in judged if isinstance(each, Judged)), runs, now)
    plan = planned(tuple(rows.values()), busy or {}, now, row_pace(ports.settings))
    if busy is not None:
        busy.update(plan.busy)
    known = _known(rows, ports, deadline)
    answers = _submit_all(_with_due_times(plan, ports), known, ports, deadline)
    _send(plan, answers, ports, deadline)
    for answer in answers.values():
        if isinstance(answer, FeedwardError) and not isinstance(answer, InvalidInput):
            raise answer
    return tuple(_entries(judged, rows, answers))


def _new_rows(judged: Iterable[Judged], runs: frozenset[str], now: int) -> dict[str, FrontierRow]:
    """Return the rows by their hash, in the order of the URLs."""
    rows: dict[str, FrontierRow] = {}
    for each in judged:
        if each.url_hash not in rows:
            rows[each.url_hash] = FrontierRow(
                row_id=new_ulid(now),
                url=each.url,
                url_hash=each.url_hash,
                host=each.host,
                owner=each.owner,
                scheme_open=each.scheme_open,
                runs=runs,
                created_at=now,
            )
    return rows


def _with_due_times(plan: Plan[FrontierRow], ports: CollectPorts) -> list[FrontierRow]:
    """Set the due times: after the message of a sent row, and at the host's next free time for the others."""
    pace = row_pace(ports.settings)
    sent = [
        replace(row, next_fetch_at=message.sent_at + LEAST_AHEAD_S + pace.step_s(place))
        for message in plan.messages
        for place, row in enumerate(message.entries)
    ]
    return sent + [replace(each.entry, next_fetch_at=each.at) for each in plan.later]


def _known(url_hashes: Collection[str], ports: CollectPorts, deadline: Deadline) -> Mapping[str, FrontierRow]:
    """Return the rows that exist already, by hash; none if the store does not answer: each row is tried then."""
    with suppress(FeedwardError):
        return ports.frontier.within(deadline).known(url_hashes)
    return {}


def _submit_all(
    rows: Sequence[FrontierRow], known: Mapping[str, FrontierRow], ports: CollectPorts, deadline: Deadline
) -> dict[str, _Answer]:
    """Return the answers, by the rows' own ids."""

    def one(row: FrontierRow) -> _Answer:
        try:
            return row, ports.frontier.within(deadline).submit(row, known=known.get(row.url_hash))
        except FeedwardError as error:
            return error

    if len(rows) <= 1:
        return {row.row_id: one(row) for row in rows}
    with ThreadPoolExecutor(min(_IN_FLIGHT, len(rows)), thread_name_prefix="feedward-submit") as pool:
        return {row.row_id: answer for row, answer in zip(rows, pool.map(one, rows), strict=True)}


def _send(
    plan: Plan[FrontierRow],
    answers: Mapping[str, _Answer],
    ports: CollectPorts,
    deadline: Deadline,
) -> None:
    """Send the rows that this call made due. The others have a message already, or wait in the due index."""
    messages = []
    for message in plan.messages:
        rows = tuple(_due_by_us(message, answers))
        if rows:
            messages.append(replace(message, entries=rows))
    if messages:
        with suppress(FeedwardError):
            ports.queue.within(deadline).send_batch(messages)


def _due_by_us(message: WorkMessage[FrontierRow], answers: Mapping[str, _Answer]) -> Iterable[FrontierRow]:
    for row in message.entries:
        answer = answers[row.row_id]
        if isinstance(answer, tuple):
            asked, submitted = answer
            is_asked_again = bool(asked.runs) and submitted.row.next_fetch_at == asked.next_fetch_at
            if submitted.created or is_asked_again:
                yield submitted.row


def _entries(
    judged: Iterable[Judged | InvalidInput],
    rows: Mapping[str, FrontierRow],
    answers: Mapping[str, _Answer],
) -> Iterable[Entry]:
    told: set[str] = set()
    for place, each in enumerate(judged):
        if isinstance(each, InvalidInput):
            yield each
            continue
        answer = answers[rows[each.url_hash].row_id]
        if isinstance(answer, InvalidInput):
            yield InvalidInput(f"urls[{place}]", answer.message)
            continue
        assert isinstance(answer, tuple)
        yield replace(answer[1], created=answer[1].created and each.url_hash not in told)
        told.add(each.url_hash)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksSubmitted:
    """The result for an event's links: how many became rows, had rows (`known`), or cannot be fetched."""

    feed_id: str
    new: int
    known: int
    unusable: int


def submit_links(
    event: ItemLinks, *, ports: CollectPorts, busy: MutableMapping[str, int] | None = None, deadline: Deadline
) -> LinksSubmitted:
    """Submit the links for the feed's owner by the `deadline`; `busy` as in `submit`. None of a deleted tenant.

    Raises the errors of the store, after all other links are submitted: the event must then be received again.
    """
    links = () if event.tenant_id and ports.tenants.is_gone(event.tenant_id) else event.links
    entries = submit(links, tenant_id=event.tenant_id, ports=ports, busy=busy, deadline=deadline)
    rows = [entry for entry in entries if not isinstance(entry, InvalidInput)]
    new = sum(entry.created for entry in rows)
    unusable = event.unusable + len(entries) - len(rows)
    return LinksSubmitted(feed_id=event.feed_id, new=new, known=len(rows) - new, unusable=unusable)
