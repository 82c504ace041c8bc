"""Exports: the query of a request, and the file or the job in the response (rules EX1, EX3, EX4)."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import parse_qsl

from feedward.api.event import Event, path_parameter, query_values
from feedward.api.feeds import feed_state, topic_as_key
from feedward.api.path_ids import path_id
from feedward.api.route import Reply
from feedward.errors import InvalidInput, NotFound
from feedward.exports.job import ExportFormat, ExportQuery, ExportStatus
from feedward.services.export.export_now import Exported, FoundJob
from feedward.subscriptions.labels import TAG_CHARS, path_spelling

PRIVATE: Final = "Feedward-Private-Feeds"
SIGNATURE: Final = "Feedward-Signature"
_SHARED: Final = ("q", "topic", "state")


def decode_export(event: Event) -> dict[str, Any]:
    """Return the query. Raises NotFound for an unknown format, InvalidInput, which names the parameter."""
    form = path_parameter(event, "format")
    if form not in tuple(ExportFormat):
        raise NotFound(f"unknown format; known formats: {', '.join(ExportFormat)}")
    given = _tagged(event) | query_values(event, PARAMETERS)
    mixed = next((name for name in _SHARED if name in given), None)
    if "tag" in given and mixed:
        raise InvalidInput(mixed, "a tag exports your subscriptions, which have no such filter")
    return {"query": ExportQuery(format=ExportFormat(form), **given)}


def decode_job(event: Event) -> dict[str, Any]:
    """Return the job's id in the path. Raises NotFound for an invalid id."""
    return {"export_id": path_id(event, "export")}


def _tagged(event: Event) -> dict[str, Any]:
    """Return an empty tag, which stands for all subscriptions. Some gateways pass no parameter without a value."""
    asked = dict(parse_qsl(str(event.get("rawQueryString") or ""), keep_blank_values=True))
    return {"tag": ""} if asked.get("tag") == "" else {}


def _tag(value: str, name: str) -> str:
    if len(value) > TAG_CHARS:
        raise InvalidInput(name, f"a tag has at most {TAG_CHARS} characters")
    value = path_spelling(value)
    return " ".join(value.split())


def _text(value: str, _name: str) -> str:
    return value


PARAMETERS: Final = {"q": _text, "tag": _tag, "topic": topic_as_key, "state": feed_state}


def encode_export(done: Exported | FoundJob) -> Reply:
    """Return the file, or 202 with the job that writes it."""
    if isinstance(done, FoundJob):
        location = {"Location": f"/v1/exports/jobs/{done.job.export_id}"}
        return Reply(document=encode_job(done), status=202, headers=location)
    query = done.query
    headers = {"Content-Disposition": f'attachment; filename="{query.file_name}"'}
    headers |= {PRIVATE: str(done.private)} if query.is_own else {}
    headers |= {SIGNATURE: done.signature} if done.signature else {}
    return Reply(file=done.body, media_type=query.format.media_type, headers=headers)


def encode_job(found: FoundJob) -> dict[str, Any]:
    """Return the job; once it is done, with URLs of its file that are valid for 15 minutes."""
    job = found.job
    is_done = job.status is ExportStatus.DONE
    return {
        "id": job.export_id,
        "status": job.status.value,
        "format": job.query.format.value,
        "name": job.query.file_name,
        "created_at": job.created_at,
        "updated_at": job.updated_at,
        "feeds": job.entries,
        "bytes": job.size,
        "private_feeds": job.private if job.query.is_own else None,
        "reason": job.reason,
        "url": found.url,
        "sha256": job.sha256 if is_done else None,
        "signature": job.signature if is_done else None,
        "signature_url": found.signature_url,
    }
