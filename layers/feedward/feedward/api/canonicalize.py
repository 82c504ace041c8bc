"""Canonicalization of one URL or a batch as JSON: the request with its options, and the response."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from feedward.api.fields import array, boolean, choice, integer, kind_of, known_fields, names, texts, url_text
from feedward.api.problems import problem_of
from feedward.canonical.explain import explain
from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import Candidate, CanonicalResult
from feedward.errors import InvalidInput
from feedward.health.outcomes import OUTCOMES
from feedward.urls.normalize import NormalizeOptions
from feedward.urls.presets import PRESETS
from feedward.urls.rewrites import PROBES, REWRITES
from feedward.urls.tracking import TRACKING_PARAMS

PARAMS_AT_MOST: Final = 1000
PARAM_CHARACTERS: Final = 200

_OPTIONS: Final = tuple(option.name for option in fields(NormalizeOptions))


def normalize_options(given: Mapping[str, Any], path: str, tracking: frozenset[str]) -> NormalizeOptions:
    """Return the options in `given`; missing ones are off. `strip_params` is a list of names, or "tracking".

    "tracking" stands for the names in `tracking`. Raises InvalidInput that names the option (`<path>.strip_www`).
    """
    known_fields(given, _OPTIONS, f"{path}.")
    read: dict[str, Any] = {}
    for name, value in given.items():
        where = f"{path}.{name}"
        read[name] = _strip_params(value, where, tracking) if name == "strip_params" else boolean(value, where)
    return NormalizeOptions(**read)


def parameter_names(value: object, path: str) -> frozenset[str]:
    """Return names of query parameters."""
    return frozenset(texts(value, path, at_most=PARAMS_AT_MOST, characters=PARAM_CHARACTERS))


def _strip_params(value: object, path: str, tracking: frozenset[str]) -> frozenset[str]:
    return tracking if value == "tracking" else parameter_names(value, path)


URLS_AT_MOST: Final = 50
PRESETS_AT_MOST: Final = 10
REQUESTS_AT_MOST: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonicalizeRequest:
    """A request. `entries` holds the text of each URL, or the error of an invalid one.

    `is_batch`: the request has `urls`, and its response is a list. `explain`, `candidates`: parts of the response.
    """

    entries: tuple[str | InvalidInput, ...]
    is_batch: bool
    options: CanonicalizeOptions
    register: bool = False
    explain: bool = False
    candidates: bool = True

    @property
    def urls(self) -> list[str]:
        """Return the valid entries, in order."""
        return [entry for entry in self.entries if isinstance(entry, str)]


def _presets(value: object, path: str, tracking: frozenset[str]) -> tuple[str | NormalizeOptions, ...]:
    elements = enumerate(array(value, path, at_most=PRESETS_AT_MOST))
    return tuple(_preset(element, f"{path}[{index}]", tracking) for index, element in elements)


def _preset(value: object, path: str, tracking: frozenset[str]) -> str | NormalizeOptions:
    if isinstance(value, dict):
        return _own_preset(value, path, tracking)
    if not isinstance(value, str):
        raise InvalidInput(path, f"expected the name of a preset or an object of options, not {kind_of(value)}")
    return choice(value, path, of=PRESETS)


def _own_preset(given: Mapping[str, Any], path: str, tracking: frozenset[str]) -> NormalizeOptions:
    options = normalize_options(given, path, tracking)
    if options.strip_protocol:
        raise InvalidInput(f"{path}.strip_protocol", "a preset must give a URL that can be fetched")
    return options


def _max_requests(value: object, path: str) -> int:
    return integer(value, path, at_least=0, at_most=REQUESTS_AT_MOST)


def _rewrites(value: object, path: str) -> tuple[str, ...]:
    return names(value, path, of=tuple(REWRITES))


def _probes(value: object, path: str) -> tuple[str, ...]:
    return names(value, path, of=tuple(PROBES))


OPTIONS: Final[Mapping[str, Callable[[object, str], Any]]] = {
    "max_requests": _max_requests,
    "use_signature": boolean,
    "check_before_fetch": boolean,
    "tracking_params": parameter_names,
    "prefer_https": boolean,
    "prefer_no_www": boolean,
    "rewrites": _rewrites,
    "probes": _probes,
    "debug": boolean,
}
ANSWER_OPTIONS: Final = ("register", "explain", "candidates")
PRESET_FIELDS: Final = ("presets", "levels")  # two names of one option
FIELDS: Final = ("url", "urls", *PRESET_FIELDS, *OPTIONS, *ANSWER_OPTIONS)


def decode_request(body: Mapping[str, Any]) -> CanonicalizeRequest:
    """Return the request in `body`. Raises InvalidInput, which names the invalid field."""
    known_fields(body, FIELDS)
    is_batch = _is_batch(body)
    answer = {name: boolean(body[name], name) for name in ANSWER_OPTIONS if name in body}
    entries = _entries(body["urls"]) if is_batch else (url_text(body["url"], "url"),)
    return CanonicalizeRequest(entries=entries, is_batch=is_batch, options=_options(body), **answer)


def _is_batch(body: Mapping[str, Any]) -> bool:
    if "url" in body and "urls" in body:
        raise InvalidInput("urls", "give url or urls, not both")
    if "url" not in body and "urls" not in body:
        raise InvalidInput("url", "give url, or urls with a list")
    return "urls" in body


def _entries(value: object) -> tuple[str | InvalidInput, ...]:
    elements = array(value, "urls", at_least=1, at_most=URLS_AT_MOST)
    return tuple(_entry(element, f"urls[{index}]") for index, element in enumerate(elements))


def _entry(value: object, path: str) -> str | InvalidInput:
    try:
        return url_text(value, path)
    except InvalidInput as error:
        return error


def _options(body: Mapping[str, Any]) -> CanonicalizeOptions:
    """Return the options of the body over the API's defaults: rewrites and probes are on (rule C11)."""
    chosen: dict[str, Any] = {"rewrites": tuple(REWRITES), "probes": tuple(PROBES)}
    chosen |= {name: reader(body[name], name) for name, reader in OPTIONS.items() if name in body}
    sent_as = [name for name in PRESET_FIELDS if name in body]
    if len(sent_as) > 1:
        raise InvalidInput("levels", "this is another name of presets; give only one of them")
    for name in sent_as:
        chosen["presets"] = _presets(body[name], name, chosen.get("tracking_params", TRACKING_PARAMS))
    return CanonicalizeOptions(**chosen)


def encode_answer(request: CanonicalizeRequest, outcomes: Sequence[CanonicalResult | Exception]) -> dict[str, Any]:
    """Return the response to `request`: a result, or the results and problems of a batch.

    `outcomes` are those of `request.urls`, in order. If the outcome of a single URL is an error, raises it.
    """
    if request.is_batch:
        by_url = iter(outcomes)
        return {
            "results": [
                _encode_entry(entry, request, next(by_url) if isinstance(entry, str) else entry)
                for entry in request.entries
            ]
        }
    (outcome,) = outcomes
    if isinstance(outcome, Exception):
        raise outcome
    return encode_result(outcome, request)


def encode_result(result: CanonicalResult, request: CanonicalizeRequest) -> dict[str, Any]:
    """Return `result` with the parts that `request` selects. Without a URL it has the outcome, status and wait."""
    body: dict[str, Any] = {
        "input": result.input,
        "url": result.url,
        "reason": result.reason.value,
        "source": result.source.value,
        "preset": result.preset,
        "temporary_redirect": result.temporary_redirect,
        "requests": list(result.requests),
        "request_count": result.request_count,
        "aliases": list(result.aliases),
    }
    if result.url is None:
        body |= _failure(result)
    if result.feed_id is not None:
        body["feed_id"] = result.feed_id
    if request.register:
        body["created"] = bool(result.created)
    if request.candidates:
        body["candidates"] = [_candidate(candidate) for candidate in result.candidates]
    if request.explain:
        body["explanation"] = list(explain(result))
    if request.options.debug:
        body["debug"] = dict(result.debug or {})
    return body


def _encode_entry(
    entry: str | InvalidInput, request: CanonicalizeRequest, outcome: CanonicalResult | Exception
) -> dict[str, Any]:
    """Return an entry of a batch: the URL as sent, if it is valid, and its result or its problem."""
    sent = {"input": entry if isinstance(entry, str) else None}
    if isinstance(outcome, Exception):
        return sent | {"problem": problem_of(outcome).body}
    return sent | {"result": encode_result(outcome, request)}


def _failure(result: CanonicalResult) -> dict[str, Any]:
    consequence = OUTCOMES[result.outcome] if result.outcome else None
    return {
        "outcome": result.outcome.value if result.outcome else None,
        "status": result.status,
        "transient": bool(consequence and consequence.transient),
        "retry_after_s": result.retry_after_s,
        "detail": result.detail or (consequence.says if consequence else ""),
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "url": candidate.url,
        "score": round(candidate.score, 2),
        "source": candidate.source.value,
        "preset": candidate.preset,
        "state": candidate.state.value,
    }
