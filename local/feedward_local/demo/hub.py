"""The hub of the made-up internet: https://hub.example/ verifies, pushes, lies, dies, replays and floods.

It also serves the feeds that it announces, so that news can be made at any time:

- GET /feeds/NAME is a feed. It names the hub at the path with which its name starts: `lies-tide` names /lies, `tide` /.
- POST /new?feed=NAME adds an item and notifies its subscribers. `quiet=1` notifies none. `times=50` repeats it.
  `replay=1` adds nothing and sends the last body again. `sign=none`, `md5` or `wrong` signs badly.
- POST / takes subscriptions. /early verifies before it answers, /lies never pushes, /half pushes every second piece of
  news, /dead answers 503, /short offers a lease of an hour.
- GET /subscriptions lists callbacks, without their secrets.

A callback has a made-up name too: the hub reaches it at the front of the local stack.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode, urlsplit

from feedward_local.demo.sites import Page

HUB_HOST = "hub.example"
PUBLIC_BASE_URL = "https://feedward.example"
KINDS = ("early", "lies", "half", "dead", "short")
LEASE_S = 864_000
_FEEDS = "/feeds/"
_TIMES_AT_MOST = 20_000
_WITHIN_S = 30


@dataclass(slots=True)
class Subscription:
    """A confirmed subscriber, and the number of its notifications."""

    callback: str
    topic: str
    secret: str
    kind: str
    news: int = 0
    answers: list[int] = field(default_factory=list)


class Hub:
    """The state of the hub. Threads of the server share it. `front` is the address of callbacks, such as a port."""

    def __init__(self) -> None:
        self.front: tuple[str, int] | None = None
        self._items: dict[str, int] = {}
        self._subscriptions: dict[str, Subscription] = {}
        self._lock = threading.Lock()

    # --- pages ------------------------------------------------------------------------------------

    def page(self, path: str) -> Page:
        """Return the answer to a GET."""
        if path.startswith(_FEEDS):
            return _xml(self._feed(path.removeprefix(_FEEDS)))
        return _json([
            {"callback": each.callback, "topic": each.topic, "news": each.news, "answers": each.answers}
            for each in list(self._subscriptions.values())
        ]) if path == "/subscriptions" else Page(at=(), status=404)  # fmt: skip

    def take(self, path: str, body: bytes) -> Page:
        """Return the answer to a POST."""
        parts = urlsplit(path)
        if parts.path == "/new":
            return _json(self._tell({name: values[0] for name, values in parse_qs(parts.query).items()}))
        return self._subscribe(parts.path.strip("/"), {name: each[0] for name, each in parse_qs(body.decode()).items()})

    def _feed(self, name: str) -> bytes:
        kind = name.partition("-")[0]
        hub = f"https://{HUB_HOST}/{kind if kind in KINDS else ''}"
        items = "".join(
            f"<item><guid>urn:{name}:{number}</guid><title>News {number} of {name}</title></item>"
            for number in range(self._items.get(name, 1), 0, -1)
        )
        links = f'<a:link rel="hub" href="{hub}"/><a:link rel="self" href="{topic_of(name)}"/>'
        return (
            f'<rss version="2.0" xmlns:a="http://www.w3.org/2005/Atom"><channel><title>{name}</title>'
            f"<link>https://{HUB_HOST}/</link>{links}{items}</channel></rss>"
        ).encode()

    # --- subscriptions ----------------------------------------------------------------------------

    def _subscribe(self, kind: str, form: Mapping[str, str]) -> Page:
        if kind == "dead":
            return Page(at=(), status=503)
        if not {"hub.mode", "hub.callback", "hub.topic"} <= form.keys():
            return Page(at=(), status=400)
        if kind == "early":
            self._verify(kind, form)
        else:
            threading.Thread(target=self._verify, args=(kind, form), daemon=True).start()
        return Page(at=(), status=202)

    def _verify(self, kind: str, form: Mapping[str, str]) -> None:
        challenge = hashlib.sha256(repr(sorted(form.items())).encode()).hexdigest()[:20]
        asked = {
            "hub.mode": form["hub.mode"],
            "hub.topic": form["hub.topic"],
            "hub.challenge": challenge,
            "hub.lease_seconds": "3600" if kind == "short" else str(LEASE_S),
        }
        status, answer = self._call("GET", form["hub.callback"], urlencode(asked))
        if not (200 <= status < 300 and answer == challenge.encode()):
            return
        with self._lock:
            self._subscriptions.pop(form["hub.callback"], None)
            if form["hub.mode"] == "subscribe":
                said = Subscription(form["hub.callback"], form["hub.topic"], form.get("hub.secret", ""), kind)
                self._subscriptions[said.callback] = said

    # --- news -------------------------------------------------------------------------------------

    def _tell(self, asked: Mapping[str, str]) -> list[int]:
        """Add an item, notify the subscribers, and return their answers."""
        name, times = asked.get("feed", ""), min(int(asked.get("times", "1")), _TIMES_AT_MOST)
        body = self._feed(name)
        if "replay" not in asked:
            with self._lock:
                self._items[name] = self._items.get(name, 1) + 1
            body = self._feed(name)
        if "quiet" in asked:
            return []
        subscribers = [each for each in list(self._subscriptions.values()) if each.topic == topic_of(name)]
        return [
            self._push(each, body, asked.get("sign", "sha256"))
            for _ in range(times)
            for each in subscribers
            if self._is_told(each)
        ]

    def _is_told(self, subscription: Subscription) -> bool:
        subscription.news += 1
        return subscription.kind != "lies" and not (subscription.kind == "half" and subscription.news % 2)

    def _push(self, subscription: Subscription, body: bytes, sign: str) -> int:
        method = sign if sign in ("sha1", "sha384", "sha512", "md5") else "sha256"
        secret = "another" if sign == "wrong" else subscription.secret
        signature = f"{method}={hmac.new(secret.encode(), body, method).hexdigest()}"
        headers = {} if sign == "none" else {"X-Hub-Signature": signature}
        status, _ = self._call("POST", subscription.callback, body=body, headers=headers)
        subscription.answers = [*subscription.answers, status][-20:]
        return status

    def _call(
        self,
        method: str,
        callback: str,
        query: str = "",
        *,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes]:
        """Request a callback. It has a made-up name; only the front of the local stack is ever requested."""
        if self.front is None or not callback.startswith(f"{PUBLIC_BASE_URL}/"):
            return 0, b""
        connection = http.client.HTTPConnection(*self.front, timeout=_WITHIN_S)
        try:
            target = urlsplit(callback).path + (f"?{query}" if query else "")
            typed = {"Content-Type": "application/rss+xml"} if body else {}
            connection.request(method, target, body=body or None, headers={**typed, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except OSError:
            return 0, b""
        finally:
            connection.close()


def topic_of(name: str) -> str:
    """Return the URL of a feed of the hub."""
    return f"https://{HUB_HOST}{_FEEDS}{name}"


def _xml(body: bytes) -> Page:
    return Page(at=(), headers={"Content-Type": "application/rss+xml"}, body=body)


def _json(document: object) -> Page:
    return Page(at=(), headers={"Content-Type": "application/json"}, body=json.dumps(document).encode())
