"""The golden set: made-up URLs and pages, and their outputs under the current version (normalization.json).

A new entry is one without its output; `make golden` fills it in. Changed outputs are recorded only as the guard allows.
"""

from __future__ import annotations

import json
import sys
from base64 import b64decode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from feedward.lineage.content import read_content
from feedward.lineage.version import CURRENT_VERSION
from feedward.urls.key import key
from feedward.urls.tracking import KEY_PARAMS, TRACKING_PARAMS
from tests.golden.guard import Outputs, Present, Recorded, fixes_told, unrecordable

FILE = Path(__file__).parent / "normalization.json"
CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
TRACKING_LIST = "tracking list"


def read() -> dict[str, Any]:
    golden: dict[str, Any] = json.loads(FILE.read_text())
    return golden


def recorded(golden: dict[str, Any]) -> Recorded:
    """The contents of the file; entries without an output are not recorded yet."""
    urls = {entry["id"]: entry["key"] for entry in golden["urls"] if "key" in entry}
    pages = {entry["id"]: _recorded_content(entry) for entry in golden["pages"] if "content_sha256" in entry}
    return Recorded(
        versions=golden["versions"],
        fixes=golden["fixes"],
        outputs={"url": {TRACKING_LIST: golden["tracking_list_sha256"], **urls}, "text": pages},
    )


def present(golden: dict[str, Any]) -> Present:
    """The code's outputs for the inputs of the file."""
    urls = {entry["id"]: key(entry["url"]) for entry in golden["urls"]}
    pages = {entry["id"]: _recorded_content({**entry, **_content(entry)}) for entry in golden["pages"]}
    outputs: Outputs = {"url": {TRACKING_LIST: tracking_list_sha256(), **urls}, "text": pages}
    return Present(version=CURRENT_VERSION, outputs=outputs, changelog=CHANGELOG.read_text())


def tracking_list_sha256() -> str:
    """The hash of all listed names, and of those that a key drops; names compare case-insensitively."""
    lists = (sorted(map(str.lower, names)) for names in (TRACKING_PARAMS, KEY_PARAMS))
    return sha256("\n\n".join("\n".join(names) for names in lists).encode()).hexdigest()


def rewritten(golden: dict[str, Any]) -> dict[str, Any]:
    """The file with the code's current outputs."""
    return {
        "versions": list(dict.fromkeys((*golden["versions"], CURRENT_VERSION))),
        "fixes": fixes_told(CHANGELOG.read_text()),
        "tracking_list_sha256": tracking_list_sha256(),
        "urls": [{**entry, "key": key(entry["url"])} for entry in golden["urls"]],
        "pages": [{**entry, **_content(entry)} for entry in golden["pages"]],
    }


def main() -> int:
    """Record the outputs of the code, unless the guard reports a change without a version."""
    golden = read()
    wrong = unrecordable(recorded(golden), present(golden))
    if wrong:
        sys.stderr.write("\n\n".join(("Nothing was recorded.", *wrong)) + "\n")
        return 1
    FILE.write_text("".join(_lines(rewritten(golden))))
    return 0


def _content(entry: dict[str, Any]) -> dict[str, Any]:
    body = b64decode(entry["base64"]) if "base64" in entry else str(entry["body"]).encode() * entry.get("repeat", 1)
    content = read_content(body, content_type=entry.get("content_type", "text/html; charset=utf-8"))
    return {"text": content.text, "content_sha256": content.content_sha256}


def _recorded_content(entry: dict[str, Any]) -> str:
    return f"{entry['content_sha256']} of {entry['text']!r}"


def _lines(golden: dict[str, Any]) -> Iterator[str]:
    """JSON with one entry a line, so that a diff shows single entries."""
    yield "{\n"
    for index, (name, value) in enumerate(golden.items()):
        yield f"{json.dumps(name)}: "
        if isinstance(value, list):
            yield "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in value) + "\n]"
        else:
            yield json.dumps(value)
        yield ",\n" if index < len(golden) - 1 else "\n"
    yield "}\n"


if __name__ == "__main__":
    sys.exit(main())
