"""Shows a discovery to a person: its outcome, and a table of the candidates, for a terminal of 100 columns."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from feedward_local.console import printable

COLUMNS = 100
HEADING = ("", "score", "kind", "source", "feed")
CHOSEN = "*"
GUESSES = frozenset({"guess_directory", "guess_root"})

Document = Mapping[str, Any]
Row = tuple[str, ...]


def account(url: str, document: Document) -> Iterator[str]:
    """The lines for one URL: `document` is the API's, or `{"problem": ...}`. All its text is escaped for a terminal."""
    if "problem" in document:
        problem = document["problem"]
        yield printable(f"{url}: problem:{problem.get('code', 'unknown')}: {problem.get('detail', '')}")
        return
    yield _outcome(url, document)
    yield from _table([one for one in document["candidates"] if not _is_failed_guess(one)])
    yield from _failed_guesses([one for one in document["candidates"] if _is_failed_guess(one)])


def _outcome(url: str, document: Document) -> str:
    """`URL: found FEED (4 requests, 2 rounds)`, or the outcome and its reason."""
    said, chosen = document["outcome"] or document["status"], document["canonical"]
    if chosen and said == "found":
        said = f"{said} {chosen['url']}"
    elif why := _why_none(document):
        said = f"{said} ({why})"
    if chosen and document["outcome"] != "found":
        said = f"{said}; known from before: {chosen['url']}"
    return printable(f"{url}: {said} ({', '.join(_notes(document))})")


def _notes(document: Document) -> Iterator[str]:
    yield _counted(document["requests"], "request")
    yield _counted(document["rounds"], "round")
    if not document["complete"]:
        yield "the search is incomplete"
    if document["status"] == "failed":
        yield f"its job failed: {document['reason'] or 'no reason was given'}"
    if document["retry_after_s"]:
        yield f"it asks to retry in {document['retry_after_s']} s"


def _why_none(document: Document) -> str:
    """The outcome of the page's fetch, if it is more specific, and its detail."""
    says_nothing = ("ok", document["outcome"])
    page_outcome = None if document["page_outcome"] in says_nothing else document["page_outcome"]
    return ": ".join(one for one in (page_outcome, document["detail"]) if one)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


# --- the table ------------------------------------------------------------------------------------


def _table(candidates: Sequence[Document]) -> Iterator[str]:
    """Two lines or more for each candidate: the row, and the details below."""
    if not candidates:
        return
    rows = [_row(candidate) for candidate in candidates]
    widths = [max(map(len, column)) for column in zip(HEADING[:-1], *(row[:-1] for row in rows), strict=True)]
    below = " " * (widths[0] + widths[1] + 6)  # the column of the kind
    yield _line(HEADING, widths)
    for row, candidate in zip(rows, candidates, strict=True):
        yield _line(row, widths)
        yield from textwrap.wrap(
            _about(candidate), COLUMNS, initial_indent=below, subsequent_indent=below, break_on_hyphens=False
        )


def _row(candidate: Document) -> Row:
    return (
        CHOSEN if candidate["is_canonical"] else "",
        str(candidate["score"]),
        printable(candidate["kind"]),
        printable(candidate["source"]),
        printable(candidate["final_url"] or candidate["candidate_url"]),
    )


def _line(row: Row, widths: Sequence[int]) -> str:
    mark, score, kind, source, url = row
    cells = [mark.ljust(widths[0]), score.rjust(widths[1]), kind.ljust(widths[2]), source.ljust(widths[3]), url]
    return "  " + "  ".join(cells)


def _about(candidate: Document) -> str:
    """The feed, or the reason why the candidate is none; and the reason why it is a candidate."""
    if candidate["validation_status"] == "valid":
        format_and_items = f"{candidate['format']}, {_counted(candidate['item_count'], 'item')}"
        told = f"{candidate['title'] or 'untitled'} ({format_and_items})"
    else:
        told = _failure(candidate)
    return printable("; ".join(one for one in (told, candidate["why"]) if one))


def _failure(candidate: Document) -> str:
    if candidate["validation_status"] == "untested":
        return f"not tried: {candidate['detail']}" if candidate["detail"] else "not tried"
    error = candidate["last_error"] or candidate["validation_status"]
    return f"{error}: {candidate['detail']}" if candidate["detail"] else str(error)


# --- failed guesses: many, and all alike -----------------------------------------------------------


def _is_failed_guess(candidate: Document) -> bool:
    return candidate["source"] in GUESSES and candidate["validation_status"] != "valid"


def _failed_guesses(guesses: Sequence[Document]) -> Iterator[str]:
    if guesses:
        outcomes = Counter(one["last_error"] or one["validation_status"] for one in guesses)
        told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
        yield printable(f"  {_counted(len(guesses), 'common path')} without a feed: {told}")
