"""The page function: the page and its files, with the headers that keep them safe, and compressed."""

from __future__ import annotations

import base64
import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from feedward.api.page_files import PageFiles
from tests.functions.conftest import LambdaContext, load_function

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
LARGEST = 150_000


def ask(path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    http = {"method": method, "path": path}
    event: dict[str, Any] = {"version": "2.0", "rawPath": path, "headers": sent, "requestContext": {"http": http}}
    answer = load_function("page").handler(event, LambdaContext())
    body = base64.b64decode(answer["body"]) if answer["isBase64Encoded"] else answer["body"].encode()
    return answer["statusCode"], answer["headers"], body


def files_named() -> list[str]:
    """The paths of the files that the page names."""
    return re.findall(r'(?:href|src)="(/web/[^"]+)"', ask("/")[2].decode())


def test_the_page_names_files_that_are_there_and_each_has_its_type() -> None:
    named = files_named()
    types = {path.rpartition(".")[2]: ask(path)[1]["Content-Type"].partition(";")[0] for path in named}

    assert len(named) <= 10
    assert {ask(path)[0] for path in named} == {200}
    assert types == {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def test_every_module_that_is_imported_is_there() -> None:
    imported = {
        name for file in WEB.glob("*.js") for name in re.findall(r'(?:from|import\()\s*"\./([^"]+)"', file.read_text())
    }
    assert imported <= {file.name for file in WEB.iterdir()}
    assert {file.name for file in WEB.glob("*.js")} - imported == {"app.js"}


@pytest.mark.parametrize("path", ["/", "a file"])
def test_nothing_from_elsewhere_runs_and_no_other_page_may_frame_it(path: str) -> None:
    headers = ask(files_named()[-1] if path == "a file" else path)[1]

    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert {policy[f"{kind}-src"] for kind in ("script", "style", "img", "connect")} == {"'self'"}
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert (headers["X-Content-Type-Options"], headers["Referrer-Policy"]) == ("nosniff", "no-referrer")


def test_the_page_is_asked_for_each_time_and_sent_again_only_if_it_changed() -> None:
    _, headers, _ = ask("/")
    status, again, body = ask("/", if_none_match=headers["ETag"])

    assert headers["Cache-Control"] == "no-cache"
    assert (status, again["ETag"], body) == (304, headers["ETag"], b"")


def test_a_file_never_changes_under_its_address() -> None:
    path = files_named()[0]

    assert ask(path)[1]["Cache-Control"] == "public, max-age=31536000, immutable"
    assert ask(path.replace(path.split("/")[2], "0" * 12))[0] == 404
    assert ask("/web/" + path.split("/")[2] + "/..")[0] == 404


def test_files_are_compressed_for_clients_that_accept_it() -> None:
    path = files_named()[0]
    _, headers, packed = ask(path, accept_encoding="br, gzip")

    assert (headers["Content-Encoding"], headers["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(packed) == ask(path)[2]


def test_names_that_no_file_has_leave_nothing_in_the_process() -> None:
    files = PageFiles({"index.html": b"", "app.js": b""})
    asked = [files.named(f"{number}.js") for number in range(1000)]

    assert asked == [None] * 1000
    assert files.named("app.js") is files.named("app.js")
    assert sum(each.cache_info().currsize for each in vars(files).values() if hasattr(each, "cache_info")) == 1


def test_all_files_together_are_small() -> None:
    files = [file for file in WEB.iterdir() if file.suffix in (".html", ".js", ".css", ".svg")]

    assert sum(file.stat().st_size for file in files) < LARGEST
    first = [ask(path, accept_encoding="gzip")[2] for path in ("/", *files_named())]
    assert sum(map(len, first)) < 30_000


def test_another_method_is_a_405_and_head_has_no_body() -> None:
    assert ask("/", "POST")[0] == 405
    status, headers, body = ask("/", "HEAD")
    assert (status, headers["Content-Type"], body) == (200, "text/html; charset=utf-8", b"")


def test_texts_of_others_are_never_parsed_as_markup() -> None:
    parsing = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function")
    styled = re.compile(r"setAttribute\(\"style|cssText|style:")

    assert [file.name for file in WEB.glob("*.js") if parsing.search(file.read_text())] == []
    assert [file.name for file in WEB.glob("*.js") if styled.search(file.read_text())] == []
