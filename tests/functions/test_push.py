"""The callback of hubs: its answers, its writes, and that it never reveals which feeds exist."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import pytest

from feedward.observability.push import record_notes
from feedward.ports.push import NO_PUSH
from feedward.push.hub_signature import signature
from feedward.push.trust import PushNote
from tests.fakes.push import BASE, HUB, FakePush, HubRequest
from tests.functions.conftest import LambdaContext, load_function
from tests.functions.push_function import PushFunction

FEED: Final = "01FEED"
UNKNOWN_ID: Final = "0" * 26
GUESSED: Final = "0123456789abcdef" * 3
BODY: Final = b"<feed><entry><id>1</id></entry></feed>"


@pytest.fixture
def function() -> PushFunction:
    return PushFunction()


@pytest.fixture
def asked(function: PushFunction) -> HubRequest:
    """A feed whose hub has accepted the request, and has not verified it."""
    function.push.hub(verifies=False)
    return function.push.subscribed(FEED)


@pytest.fixture
def live(function: PushFunction) -> HubRequest:
    """A feed whose subscription is verified."""
    request = function.push.subscribed(FEED)
    function.push.sent()
    return request


def question(of: HubRequest, **other: str) -> dict[str, str]:
    said = {"mode": of.mode, "topic": of.topic, "challenge": "a1~b2", "lease_seconds": "864000", **other}
    return {f"hub.{name}": value for name, value in said.items()}


def contents(function: PushFunction) -> str:
    """All stored data, as one text."""
    return repr(sorted(map(repr, function.push.directory.contents.everything())))


def changes_nothing(function: PushFunction, act: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    before, asked = contents(function), len(function.push.directory.internet.fetched)
    answer = act()
    assert contents(function) == before
    assert function.push.sent() == []
    assert len(function.push.directory.internet.fetched) == asked
    return answer


# --- verification ---------------------------------------------------------------------------------


def test_a_verification_that_was_asked_for_is_answered_with_the_challenge_alone(
    function: PushFunction, asked: HubRequest
) -> None:
    answer = function.get(asked.callback, question(asked))

    assert answer["statusCode"] == 200
    assert base64.b64decode(answer["body"]) == b"a1~b2"
    assert answer["headers"] == {
        "Content-Type": "text/plain; charset=utf-8",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "no-store",
    }
    assert function.push.record(FEED).is_live(function.push.clock.now())


def test_a_live_subscription_is_confirmed_again_without_a_write_and_its_lease_stays(
    function: PushFunction, live: HubRequest
) -> None:
    answer = changes_nothing(function, lambda: function.get(live.callback, question(live, lease_seconds="99999999")))

    assert answer["statusCode"] == 200


@pytest.mark.parametrize(
    "other",
    [
        {"topic": "https://other.example/feed"},
        {"mode": "unsubscribe"},
        {"mode": "publish"},
        {"mode": ""},
        {"challenge": ""},
        {"challenge": "<script>alert(1)</script>"},
        {"challenge": "a b"},
        {"challenge": "a&amp;b"},
        {"challenge": "ä"},
        {"challenge": "x" * 513},
        {"challenge": "a\r\nSet-Cookie: b"},
    ],
)
def test_an_unrequested_verification_is_refused_and_nothing_is_written(
    function: PushFunction, asked: HubRequest, other: dict[str, str]
) -> None:
    answer = changes_nothing(function, lambda: function.get(asked.callback, question(asked, **other)))

    assert answer["statusCode"] == 404


@pytest.mark.parametrize("left_out", ["hub.mode", "hub.topic", "hub.challenge"])
def test_a_question_that_lacks_a_field_is_no(function: PushFunction, asked: HubRequest, left_out: str) -> None:
    said = {name: value for name, value in question(asked).items() if name != left_out}

    assert changes_nothing(function, lambda: function.get(asked.callback, said))["statusCode"] == 404


def test_a_topic_that_is_given_twice_is_no(function: PushFunction, asked: HubRequest) -> None:
    query = f"hub.mode=subscribe&hub.topic={asked.topic}&hub.topic={asked.topic}&hub.challenge=a"

    assert changes_nothing(function, lambda: function.get(asked.callback, query))["statusCode"] == 404


@pytest.mark.parametrize("lease", ["3600", "-5", "1e9", "many", "864000.5"])
def test_a_lease_that_cannot_be_renewed_in_time_is_refused(
    function: PushFunction, asked: HubRequest, lease: str
) -> None:
    assert function.get(asked.callback, question(asked, lease_seconds=lease))["statusCode"] == 404
    assert function.push.record(FEED).state == "failed"


def test_a_denial_is_taken_and_needs_no_challenge(function: PushFunction, live: HubRequest) -> None:
    said = {"hub.mode": "denied", "hub.topic": live.topic, "hub.reason": "no <b>more</b>\n"}

    assert function.get(live.callback, said)["statusCode"] == 204
    assert changes_nothing(function, lambda: function.get(live.callback, said))["statusCode"] == 204
    record = function.push.record(FEED)
    assert (record.state, record.last_answer) == ("denied", "denied: no <b>more</b>")
    assert function.post(live.callback, BODY, signature("sha1", BODY, live.secret))["statusCode"] == 410


# --- pushes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["sha1", "sha256", "sha384", "sha512"])
@pytest.mark.parametrize("as_base64", [False, True])
def test_a_push_with_a_valid_signature_sends_a_check(
    function: PushFunction, live: HubRequest, method: str, as_base64: bool
) -> None:
    signed = signature(method, BODY, live.secret)

    answer = function.post(live.callback, BODY, signed, as_base64=as_base64)

    assert (answer["statusCode"], answer["body"]) == (204, "")
    ((feed, delay_s),) = function.push.sent()
    assert (feed.feed_id, feed.pushed_at, delay_s) == (FEED, function.push.clock.now(), 0)


def test_the_method_and_the_digits_of_a_signature_may_be_in_any_case(function: PushFunction, live: HubRequest) -> None:
    signed = signature("sha256", BODY, live.secret)

    function.post(live.callback, BODY, "SHA256=" + signed.partition("=")[2].upper())

    assert len(function.push.sent()) == 1


def wrong_signatures() -> dict[str, Callable[[HubRequest], str | None]]:
    def of_other(request: HubRequest) -> str:
        return signature("sha256", BODY, "another secret")

    return {
        "missing": lambda _: None,
        "empty": lambda _: "",
        "wrong": lambda _: "sha256=" + "0" * 64,
        "of another secret": of_other,
        "of another body": lambda of: signature("sha256", BODY + b" ", of.secret),
        "of an unknown method": lambda of: "md5=" + hmac.new(of.secret.encode(), BODY, hashlib.md5).hexdigest(),
        "of an unknown method with known digits": lambda of: (
            "md5=" + signature("sha1", BODY, of.secret).partition("=")[2]
        ),
        "under another name": lambda of: "sha512=" + signature("sha256", BODY, of.secret).partition("=")[2],
        "without a method": lambda of: signature("sha256", BODY, of.secret).partition("=")[2],
        "not ascii": lambda _: "sha256=ä",
    }


@pytest.mark.parametrize("kind", wrong_signatures())
def test_a_push_that_is_not_signed_is_answered_as_a_good_one_and_does_nothing(
    function: PushFunction, live: HubRequest, kind: str
) -> None:
    sent = wrong_signatures()[kind](live)

    answer = changes_nothing(function, lambda: function.post(live.callback, BODY, sent))

    assert (answer["statusCode"], answer["body"]) == (204, "")
    good = function.post(live.callback, BODY, signature("sha256", BODY, live.secret))
    assert (good["statusCode"], good["headers"], good["body"]) == (204, answer["headers"], answer["body"])


def test_a_signature_for_another_feed_does_nothing(function: PushFunction, live: HubRequest) -> None:
    other = function.push.subscribed("02FEED")

    answer = changes_nothing(
        function, lambda: function.post(live.callback, BODY, signature("sha256", BODY, other.secret))
    )

    assert answer["statusCode"] == 204


@pytest.mark.parametrize("as_base64", [False, True])
def test_a_body_of_5_mb_is_refused_with_any_signature(
    function: PushFunction, live: HubRequest, as_base64: bool
) -> None:
    body = b"x" * 5_000_000
    signed = signature("sha256", body, live.secret)

    known = changes_nothing(function, lambda: function.post(live.callback, body, signed, as_base64=as_base64))
    unknown = function.post(f"{BASE}/v1/push/{UNKNOWN_ID}/{GUESSED}", body, signed, as_base64=as_base64)

    assert known == unknown
    assert known["statusCode"] == 413


# --- guessing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", [GUESSED, "x", "..%2f", "0" * 47, "A" * 48, "ä" * 48, GUESSED.upper()])
def test_a_guessed_path_is_answered_alike_for_a_feed_that_exists_and_one_that_does_not(
    function: PushFunction, live: HubRequest, token: str
) -> None:
    places = [f"{BASE}/v1/push/{feed}/{token}" for feed in (FEED, UNKNOWN_ID, "no-feed", "x" * 500)]

    gets = [changes_nothing(function, lambda at=at: function.get(at, question(live))) for at in places]  # type: ignore[misc]
    posts = [
        changes_nothing(
            function,
            lambda at=at: function.post(at, BODY, signature("sha256", BODY, live.secret)),  # type: ignore[misc]
        )
        for at in places
    ]

    assert {each["statusCode"] for each in gets} == {404}
    assert {each["statusCode"] for each in posts} == {410}
    assert all(each == gets[0] for each in gets)
    assert all(each == posts[0] for each in posts)


def test_the_answers_to_a_guess_cost_the_same_reads_for_a_feed_that_exists(function: PushFunction) -> None:
    function.push.subscribed(FEED)
    calls = function.push.directory.faults.calls
    made = []
    for feed in (FEED, UNKNOWN_ID):
        calls.clear()
        function.post(f"{BASE}/v1/push/{feed}/{GUESSED}", BODY, "sha1=00")
        made.append(tuple(calls))

    assert made == [("get_item",)] * 2


@pytest.mark.parametrize(("feed", "token"), [(FEED, "x"), (FEED, "A" * 48), ("x" * 3000, GUESSED), ("ä", GUESSED)])
def test_a_path_that_no_callback_has_is_refused_without_a_read(
    function: PushFunction, live: HubRequest, feed: str, token: str
) -> None:
    place = f"{BASE}/v1/push/{feed}/{token}"
    calls = function.push.directory.faults.calls
    calls.clear()

    assert function.get(place, question(live))["statusCode"] == 404
    assert function.post(place, BODY, "sha1=00")["statusCode"] == 410
    assert calls == []


def test_the_callback_of_one_feed_does_not_serve_another(function: PushFunction, live: HubRequest) -> None:
    function.push.subscribed("02FEED")
    callback = live.callback.replace(FEED, "02FEED")

    answer = changes_nothing(function, lambda: function.post(callback, BODY, signature("sha256", BODY, live.secret)))

    assert answer["statusCode"] == 410


# --- the log --------------------------------------------------------------------------------------


def test_nothing_secret_is_logged(log: io.StringIO, capsys: pytest.CaptureFixture[str]) -> None:
    push = FakePush()
    function, request = PushFunction(push), push.subscribed(FEED)

    function.post(request.callback, BODY, signature("sha1", BODY, request.secret))
    function.post(request.callback, BODY, "sha1=00")
    function.get(request.callback, question(request))

    said = log.getvalue()
    lines = [json.loads(line) for line in said.splitlines()]
    assert [line["result"] for line in lines] == ["sent", "badly_signed", "verified"]
    assert {line["hub"] for line in lines} == {HUB.split("/")[2]}
    shown = said + capsys.readouterr().out
    assert not any(secret in shown for secret in (request.secret, request.place[1], BODY.decode()))


def test_a_push_that_a_planned_check_covers_is_counted_by_its_hub_without_a_line_of_its_own(
    log: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    push = FakePush()
    function, request = PushFunction(push), push.subscribed(FEED)

    for _ in range(4):
        function.post(request.callback, BODY, signature("sha1", BODY, request.secret))

    assert [json.loads(line)["result"] for line in log.getvalue().splitlines()] == ["sent", "sent"]
    counted = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "PushCallbacks" in line]
    assert [(each["result"], each["hub"]) for each in counted] == [
        ("sent", "hub.example"),
        ("sent", "hub.example"),
        ("covered", "hub.example"),
        ("covered", "hub.example"),
    ]
    dimensions = {name for each in counted for name in each["_aws"]["CloudWatchMetrics"][0]["Dimensions"][0]}
    assert dimensions == {"service", "result"}


# --- the pass -------------------------------------------------------------------------------------


def test_the_pass_of_each_minute_asks_hubs_and_reports_the_results(
    log: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    push = FakePush()
    hub = push.hub()
    push.names(FEED, push.feed(FEED))
    services: Any = SimpleNamespace(pushes=push.trusts, push_ports=push.ports)
    handler = load_function("health_check").make_handler(lambda: services)

    report = handler({"do": "push"}, LambdaContext(remaining_ms=60_000))

    assert report["asked"] == {"asked": 1}
    assert len(hub.asked) == 1
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert {"hub": "hub.example", "results": {"asked": 1}}.items() <= lines[0].items()
    told = capsys.readouterr().out
    assert '"PushPasses"' in told
    assert '"PushAsked"' in told


def test_without_a_public_base_url_the_pass_does_nothing() -> None:
    services: Any = SimpleNamespace(pushes=NO_PUSH)

    assert load_function("health_check").make_handler(lambda: services)({"do": "push"}, LambdaContext()) == {}


def test_results_of_pushed_checks_are_measured(log: io.StringIO, capsys: pytest.CaptureFixture[str]) -> None:
    record_notes([PushNote(hub=HUB, told_after_s=7), PushNote(hub=HUB, is_empty=True)])

    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    values = {name: line[name] for line in told for name in ("PushTold", "PushEmpty", "PushDelay") if name in line}
    assert values == {"PushTold": [1.0], "PushEmpty": [1.0], "PushDelay": [7.0]}
    assert "token" not in log.getvalue()
