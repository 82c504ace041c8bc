"""Runs MiniStack and saves its state while it runs, not only when it ends; the argument is the folder for layers.

MiniStack's interpreter runs this file. MiniStack's own code saves the state, in a process that is forked between two
requests: so the files are of one moment, and no request waits. The cost depends on the changes only.
"""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Container, Mapping, MutableMapping
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

from ministack import app as ministack
from ministack.core import iam_actions, lambda_runtime, persistence
from ministack.services import dynamodb, lambda_svc, sqs

from feedward_local.ministack_http import parse_expressions_once, serve_by_uvicorn
from feedward_local.role_checks import as_over_tls, check_as_aws_does
from feedward_local.saved_items import ChangedKeys, Changes, Key, items_of, needs_whole_tables, write_changes
from feedward_local.saved_state import replace_state
from feedward_local.unpacked import unpack_layers_once
from feedward_local.worker_logs import collect_logs_without_wait

SAVE_EVERY_S = 2.0
STATE = Path(persistence.STATE_DIR)
# The services whose state changes while the stack works. The others change at a deployment.
WORKING = frozenset({"dynamodb", "sqs", "s3"})
CALLED = frozenset({"events", "lambda", "logs", "monitoring"})
READS = ("BatchGet", "Describe", "Get", "List", "Query", "Scan", "TransactGet")
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class SavingApp:
    """MiniStack's ASGI application, with a task that saves after requests."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]], changed: ChangedKeys) -> None:
        self._app, self._changed = app, changed
        self._has_news, self._is_deployed_anew = False, False
        self._saving: asyncio.Task[None] | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Forward everything, and record changes."""
        if scope["type"] == "lifespan" and persistence.PERSIST_STATE:
            self._saving = asyncio.create_task(self._save_after_requests())
        is_checked = ministack.AUTH and scope["type"] == "http"
        await self._app(as_over_tls(scope) if is_checked else scope, receive, send)
        self._note({name.lower(): value.decode("latin-1") for name, value in scope.get("headers", ())}, scope)

    def _note(self, headers: Mapping[bytes, str], scope: Message) -> None:
        operation = headers.get(b"x-amz-target", "").rpartition(".")[2]
        self._has_news |= not operation.startswith(READS)
        _, _, signed = headers.get(b"authorization", "").partition("Credential=")
        service = signed.partition(",")[0].split("/")[3:4]
        is_call = scope.get("path", "").endswith("/invocations") or service != ["lambda"]
        self._is_deployed_anew |= bool(service) and not (service[0] in WORKING | CALLED and is_call)

    async def _save_after_requests(self) -> None:
        while True:
            await asyncio.sleep(SAVE_EVERY_S)
            if self._has_news or self._changed:
                all_services = self._is_deployed_anew
                self._has_news, self._is_deployed_anew = False, False
                child, keys = fork_and_save(self._changed, None if all_services else WORKING)
                _, status = await asyncio.to_thread(os.waitpid, child, 0)
                if status:  # not saved: try again
                    self._has_news, self._is_deployed_anew = True, self._is_deployed_anew or all_services
                    with dynamodb._lock:
                        self._changed.give_back(keys)


def note_changes(changed: ChangedKeys) -> None:
    """Let DynamoDB record the keys of all items that it writes and deletes."""
    for name in ("_set_item", "_remove_item"):
        vars(dynamodb)[name] = _noting(changed, vars(dynamodb)[name])


def _noting(changed: ChangedKeys, write: Callable[..., Any]) -> Callable[..., Any]:
    def noted(table: Mapping[str, Any], primary: str, sort: str, *item: Any) -> Any:
        changed.add(id(table), (primary, sort))
        return write(table, primary, sort, *item)

    return noted


def fork_and_save(changed: ChangedKeys, services: Container[str] | None) -> tuple[int, Mapping[int, set[Key]]]:
    """Save these services, or all, in a new process. Return its id, and the changed keys that it saves.

    Must be called where requests are handled, and so between two of them.
    """
    with dynamodb._lock, sqs._queues_lock:  # their own threads change them too
        keys = changed.take()
        child = os.fork()
    if child:
        return child, keys
    code = 1
    try:
        logging.disable(logging.INFO)
        vars(copy)["deepcopy"] = _same  # this process is a copy itself, and ends
        vars(json)["dump"] = _dump
        replace_state(STATE, lambda folder: save(folder, services, keys))
        code = 0
    except Exception:
        logging.getLogger("feedward").exception("the state was not saved")
    finally:
        os._exit(code)


def save(folder: Path, services: Container[str] | None, keys: Mapping[int, set[Key]]) -> None:
    """Write these services, or all, into `folder`: for DynamoDB only the changes, unless its tables must be written."""
    is_whole = services is None or needs_whole_tables(STATE)
    if not is_whole and keys:
        write_changes(folder, STATE, changes_of(keys))
    save_services(folder, services, without=() if is_whole else ("dynamodb",))


def changes_of(keys: Mapping[int, set[Key]]) -> Changes:
    """Return the changed items of each table, by the name under which MiniStack saves the table."""
    return {
        "\0".join((account, region, repr(name))): items_of(table, keys[id(table)])
        for (account, region, name), table in dynamodb._tables.all_items()
        if id(table) in keys
    }


def _same(value: Any) -> Any:
    return value


def _dump(value: Any, file: Any, **options: Any) -> None:
    """Write JSON as json.dump does, with an encoder that is ten times as fast."""
    file.write(json.dumps(value, **options))


def save_services(folder: Path, services: Container[str] | None, *, without: Container[str] = ()) -> None:
    """Write a file for each service. Raises OSError if one cannot be written: an incomplete set is unusable."""
    persistence.STATE_DIR = str(folder)
    for name, get_state in ministack._build_persistence_save_dict().items():
        is_saved = (services is None or name in services) and name not in without
        state = get_state() if is_saved else None
        if state is not None:
            persistence.save_state(name, state)
            (folder / f"{name}.json").stat()


def save_at_end(_services: Mapping[str, Any]) -> None:
    """Save before MiniStack ends."""
    os.waitpid(fork_and_save(ChangedKeys(), None)[0], 0)


if __name__ == "__main__":
    lambda_svc._prune_orphan_code_blobs = lambda _named: None  # the previous set of files may still name it
    ministack.save_all = save_at_end
    changed_keys = ChangedKeys()
    note_changes(changed_keys)
    check_as_aws_does(iam_actions)
    unpack_layers_once(lambda_runtime, Path(sys.argv.pop()))
    ministack.app = SavingApp(ministack.app, changed_keys)
    collect_logs_without_wait(lambda_runtime)
    parse_expressions_once(dynamodb)
    serve_by_uvicorn()
    ministack.main()
