"""The description of the API agrees with the code, and the function's answers agree with the description."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from typing import Any

import jsonschema
import openapi_spec_validator
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from werkzeug.wrappers import Request, Response

from feedward import __version__, page_cursor
from feedward.access import tenant
from feedward.access.caller import Scope
from feedward.api import canonicalize as requests
from feedward.api import discoveries as discoveries_request
from feedward.api import feeds as feeds_request
from feedward.api import frontier as frontier_request
from feedward.api import lineage as lineage_request
from feedward.api import problems
from feedward.api import search as search_request
from feedward.api import subscriptions as subscriptions_request
from feedward.api.access import keys as keys_request
from feedward.api.access.access_routes import key_routes, tenant_routes
from feedward.api.canonicalize import PARAMS_AT_MOST
from feedward.api.collect_routes import collect_routes
from feedward.api.directory_routes import directory_routes, export_routes, import_routes
from feedward.api.event import IDEMPOTENCY_KEY
from feedward.api.fields import BODY_BYTES_AT_MOST, URL_CHARACTERS_AT_MOST
from feedward.api.openapi import openapi_document
from feedward.api.sites import encode_site
from feedward.api.webhooks.webhook_routes import webhook_routes
from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import CandidateState, Reason, Source
from feedward.discovery.candidate import DiscoveredFrom, Kind, ValidationStatus
from feedward.discovery.candidate import Source as DiscoverySource
from feedward.discovery.result import DiscoveryOutcome
from feedward.discovery.site import Job, JobStatus
from feedward.errors import StoreUnavailable
from feedward.frontier.decide import REASONS
from feedward.frontier.row import RowStatus
from feedward.lineage.item import EdgeMetadata
from feedward.lineage.match import CANONICAL_URI, CONTENT_SHA256
from feedward.lineage.run import Counters, RunKind, RunStatus
from feedward.lineage.version import CURRENT
from feedward.model import FeedFormat, FeedState, Item, Outcome
from feedward.services.collect import read_frontier, read_lineage, start_run
from feedward.services.directory import read_feeds
from feedward.services.subscribe import subscribe
from feedward.subscriptions.labels import SHOWN
from feedward.subscriptions.subscription import Failure, SubscriptionStatus
from feedward.urls.normalize import NormalizeOptions
from feedward.urls.presets import PRESETS
from feedward.urls.rewrites import PROBES, REWRITES
from tests.fakes.directory import NOW
from tests.functions.conftest import CLEAN, SENT, BrokenStore, Discover, Function, read_event
from tests.functions.directory_function import DirectoryFunction
from tests.functions.index_function import make_index_function
from tests.unit.services.collect.collecting import A, B, C, page

DOCUMENT = openapi_document()
# Keys are judged before the function (tests/functions/test_keys_of_routes.py); here each event has an operator's.
WITHOUT_KEYS = {
    **DOCUMENT,
    "security": [],
    "paths": {
        path: {method: {**operation, "security": []} for method, operation in item.items()}
        for path, item in DOCUMENT["paths"].items()
    },
}
SCHEMAS = DOCUMENT["components"]["schemas"]
REQUEST = {**SCHEMAS["CanonicalizeUrl"]["properties"], **SCHEMAS["CanonicalizeUrls"]["properties"]}
FILTERS = {"/v1/frontier": "FrontierFilter", "/v1/items": "ItemFilter"}
RESULT = SCHEMAS["CanonicalizeResult"]["properties"]
OF_THE_DIRECTORY = tuple(
    f"/v1/{name}"
    for name in (
        "feeds",
        "search",
        "subscriptions",
        "imports",
        "exports",
        "frontier",
        "runs",
        "items",
        "keys",
        "tenants",
        "webhooks",
    )
)


def check(instance: object, schema: str) -> None:
    """Raise if `instance` does not match the description's `schema`."""
    pointer = {"$ref": f"#/components/schemas/{schema}", "components": DOCUMENT["components"]}
    jsonschema.Draft202012Validator(pointer).validate(instance)


def names(of: Iterable[Any]) -> set[str]:
    return {str(value) for value in of}


def values(schema: dict[str, Any]) -> list[Any]:
    """The values of a choice, which may have a name, and may be null."""
    if "$ref" in schema:
        return values(SCHEMAS[schema["$ref"].rpartition("/")[2]])
    if "oneOf" in schema:
        return [value for each in schema["oneOf"] for value in values(each)]
    return [None] if schema.get("type") == "null" else list(schema["enum"])


def schemas_in(description: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Each schema of the description with its place, examples aside."""
    for name, inner in description.items() if isinstance(description, dict) else enumerate(description):
        if isinstance(inner, dict | list) and name not in ("example", "examples", "enum", "required"):
            if isinstance(inner, dict) and path.endswith(("/properties", "/schemas")):
                yield f"{path}/{name}", inner
            yield from schemas_in(inner, f"{path}/{name}")


# --- the description ------------------------------------------------------------------------------


def test_description_is_valid_openapi() -> None:
    openapi_spec_validator.validate(DOCUMENT)


@pytest.mark.parametrize("path", DOCUMENT["paths"])
def test_each_operation_says_which_key_it_takes_and_how_it_refuses_others(path: str) -> None:
    for operation in DOCUMENT["paths"][path].values():
        if operation["security"] == []:
            continue
        ((scope,),) = (each["key"] for each in operation["security"])
        assert scope in tuple(Scope)
        assert operation["responses"]["401"] == {"$ref": "#/components/responses/Unauthorized"}
        assert operation["responses"]["403"] == {"$ref": "#/components/responses/Forbidden"}


@pytest.mark.parametrize("name", ["Unauthorized", "Forbidden"])
def test_a_refusal_of_a_key_is_a_problem_or_the_gateways_bare_body(name: str) -> None:
    content = DOCUMENT["components"]["responses"][name]["content"]

    assert content["application/problem+json"]["schema"] == {"$ref": "#/components/schemas/Problem"}
    assert content["application/json"]["schema"] == {"$ref": "#/components/schemas/BareMessage"}


def test_a_generated_client_has_one_type_for_each_choice_and_each_field() -> None:
    """Generators make `Any` of a field without a type, and a type of its own of each list of values."""
    places = dict(schemas_in(DOCUMENT))
    untyped = [place for place, schema in places.items() if not schema.keys() & {"type", "$ref", "oneOf", "anyOf"}]
    choices = [json.dumps(schema["enum"]) for schema in places.values() if "enum" in schema]

    assert untyped == []
    assert len(choices) == len(set(choices)) > 30
    assert all(None not in schema.get("enum", ()) for schema in places.values())


def test_description_is_of_this_version() -> None:
    assert DOCUMENT["openapi"].startswith("3.1.")
    assert DOCUMENT["info"]["version"] == __version__


def test_fields_of_a_request_are_those_that_are_read() -> None:
    assert set(REQUEST) == set(requests.FIELDS)
    assert set(SCHEMAS["NormalizeOptions"]["properties"]) == {field.name for field in fields(NormalizeOptions)}


def test_one_url_and_many_take_the_same_options() -> None:
    one, many = (dict(SCHEMAS[name]["properties"]) for name in ("CanonicalizeUrl", "CanonicalizeUrls"))

    assert (one.pop("url"), many.pop("urls")) == (REQUEST["url"], REQUEST["urls"])
    assert one == many


@pytest.mark.parametrize("name", ["CanonicalizeRequest", "RunRequest", "BatchEntry"])
def test_a_choice_is_one_of_named_objects_that_are_told_apart_by_their_fields(name: str) -> None:
    kinds = [SCHEMAS[each["$ref"].rpartition("/")[2]] for each in SCHEMAS[name]["oneOf"]]

    assert SCHEMAS[name].keys() == {"description", "oneOf"}
    assert all(kind["type"] == "object" and kind["additionalProperties"] is False for kind in kinds)
    for kind in kinds:
        assert all(set(kind["required"]) - set(other["properties"]) for other in kinds if other is not kind)


@pytest.mark.parametrize(
    ("body", "is_right"),
    [
        ({}, False),
        ({"urls": []}, False),
        ({"urls": [A]}, True),
        ({"urls": [A], "collector": "http_snapshot", "version": str(CURRENT)}, True),
        ({"urls": [A], "collector": "other"}, False),
        ({"urls": [A], "version": "anything"}, False),
        ({"urls": [A], "version": str(CURRENT.bump("text", "breaking"))}, False),
        ({"collector": "http_snapshot"}, False),
        ({"urls": [A], "reprocessing_of_run_id": 26 * "0"}, False),
        ({"reprocessing_of_run_id": 26 * "0"}, True),
    ],
)
def test_a_run_that_the_description_takes_is_one_of_urls_or_of_a_run(
    directory: DirectoryFunction, body: dict[str, Any], is_right: bool
) -> None:
    schema = SCHEMAS["RunRequest"] | {"components": DOCUMENT["components"]}

    assert jsonschema.Draft202012Validator(schema).is_valid(body) is is_right
    assert not is_right or directory.post("/v1/runs", body).status in (202, 404)


@pytest.mark.parametrize("path", FILTERS)
def test_a_list_that_needs_one_of_its_filters_says_so(directory: DirectoryFunction, path: str) -> None:
    (parameter,) = (each for each in DOCUMENT["paths"][path]["get"]["parameters"] if each["name"] == "filter")
    schema = SCHEMAS[FILTERS[path]]

    assert parameter["schema"] == {"$ref": f"#/components/schemas/{FILTERS[path]}"}
    assert (parameter["required"], parameter["style"], parameter["explode"]) == (True, "form", True)
    assert (schema["minProperties"], schema["maxProperties"]) == (1, 1)
    example = DOCUMENT["paths"][path]["get"]["responses"]["400"]["content"]["application/problem+json"]["example"]
    problem = directory.get(path).body
    assert (problem["detail"], problem["field"]) == (example["detail"], example["field"])
    assert all(name in problem["detail"] for name in schema["properties"])


@pytest.mark.parametrize("tag", ["news", "\U0001f96f", "", " ", "\x00", "\u200b", "\u202e\u2066", "\ufeff \x85"])
def test_description_and_reader_agree_on_empty_tags(directory: DirectoryFunction, tag: str) -> None:
    schema = SCHEMAS["SubscriptionRequest"]["properties"]["tags"]
    answer = directory.post("/v1/subscriptions", {"url": CLEAN, "tags": ["first", tag]})

    assert (answer.status == 202) is jsonschema.Draft202012Validator(schema).is_valid(["first", tag])
    assert schema["items"]["pattern"] == SHOWN
    assert answer.status == 202 or answer.body["field"] == "tags[1]"


@pytest.mark.parametrize("path", ["/v1/feeds", "/v1/search"])
@pytest.mark.parametrize("topic", ["news", "Küche", "天気", "Ж", " ", "\u200b", "\u2028", "\ufeff \x85"])
def test_description_and_reader_agree_on_topics_of_any_script(
    directory: DirectoryFunction, path: str, topic: str
) -> None:
    (parameter,) = (each for each in DOCUMENT["paths"][path]["get"]["parameters"] if each["name"] == "topic")
    make_index_function(directory).do("maintain")
    answer = directory.get(path, topic=topic)

    assert (answer.status == 200) is jsonschema.Draft202012Validator(parameter["schema"]).is_valid(topic)
    assert answer.status == 200 or answer.body["field"] == "topic"


def test_limits_of_a_request_are_those_that_are_kept() -> None:
    assert REQUEST["urls"]["maxItems"] == requests.URLS_AT_MOST
    assert REQUEST["url"]["maxLength"] == URL_CHARACTERS_AT_MOST
    assert REQUEST["presets"]["maxItems"] == REQUEST["levels"]["maxItems"] == requests.PRESETS_AT_MOST
    assert REQUEST["tracking_params"]["maxItems"] == PARAMS_AT_MOST
    assert (REQUEST["max_requests"]["minimum"], REQUEST["max_requests"]["maximum"]) == (0, requests.REQUESTS_AT_MOST)


def test_defaults_of_a_request_are_those_that_hold() -> None:
    request = requests.decode_request({"url": CLEAN})
    described = {name: schema["default"] for name, schema in REQUEST.items() if "default" in schema}

    assert described.pop("rewrites") is True
    assert described.pop("probes") is True
    assert described.pop("presets") == list(CanonicalizeOptions().presets)
    held = {name: getattr(request, name, getattr(request.options, name, None)) for name in described}
    assert held == described
    assert request.options.rewrites == tuple(REWRITES)
    assert request.options.probes == tuple(PROBES)


@pytest.mark.parametrize("field", ["url", "tracking_params"])
@pytest.mark.parametrize("sent", ["", " ", "\t\n\f\r ", "\x1c", "\x85", "\ufeff", "\xa0", "\u2028", "\x00", " a"])
def test_description_and_reader_agree_on_empty_values(function: Function, field: str, sent: str) -> None:
    body: dict[str, Any] = {"url": CLEAN} | ({"url": sent} if field == "url" else {field: [sent]})
    described = jsonschema.Draft202012Validator(
        SCHEMAS["CanonicalizeRequest"] | {"components": DOCUMENT["components"]}
    ).is_valid(body)

    assert (function.post(body).status == 200) is described


def test_names_in_the_description_are_those_of_the_code() -> None:
    assert names(values(SCHEMAS["PresetName"])) == names(PRESETS)
    assert names(values(REQUEST["rewrites"]["oneOf"][1]["items"])) == names(REWRITES)
    assert names(values(REQUEST["probes"]["oneOf"][1]["items"])) == names(PROBES)
    assert names(values(RESULT["reason"])) == names(Reason)
    assert names(values(RESULT["source"])) == names(Source)
    assert names(values(RESULT["outcome"])) == names([*Outcome, None])
    assert names(values(SCHEMAS["Candidate"]["properties"]["state"])) == names(CandidateState)
    assert names(values(SCHEMAS["Problem"]["properties"]["code"])) == names(problems.TITLES)


def test_names_of_discovery_in_the_description_are_those_of_the_code() -> None:
    candidate, discovery = (SCHEMAS[name]["properties"] for name in ("SiteCandidate", "Discovery"))

    assert set(SCHEMAS["DiscoveryRequest"]["properties"]) == set(discoveries_request.FIELDS)
    for schema in (SCHEMAS["DiscoveryRequest"]["properties"]["intent"], candidate["kind"]):
        assert values(schema) == list(Kind)
    assert values(candidate["discovered_from"]["items"]) == list(DiscoveredFrom)
    assert names(values(candidate["source"])) == names(DiscoverySource)
    assert names(values(candidate["format"])) == names([*FeedFormat, None])
    assert values(SCHEMAS["ValidationStatus"]) == list(ValidationStatus)
    assert names(values(SCHEMAS["OutcomeOrNull"])) == names([*Outcome, None])
    assert values(discovery["outcome"]) == [*DiscoveryOutcome, None]
    assert values(discovery["status"]) == list(JobStatus)
    for outcome in DiscoveryOutcome:
        assert f"`{outcome}`" in discovery["outcome"]["description"]


def test_ids_in_the_description_are_those_that_are_taken() -> None:
    patterns = {
        path: {operation["parameters"][0]["schema"]["pattern"] for operation in item.values()}
        for path, item in DOCUMENT["paths"].items()
        if "{id}" in path
    }

    assert patterns == {
        **{path: {f"^{page_cursor.ULID}$"} for path in patterns},
        "/v1/discoveries/{id}": {rf"^{discoveries_request.SITE_ID.pattern}\.{page_cursor.ULID}$"},
        "/v1/sites/{id}": {f"^{discoveries_request.SITE_ID.pattern}$"},
        "/v1/sites/{id}/candidates": {f"^{discoveries_request.SITE_ID.pattern}$"},
        **{path: {f"^{keys_request.KEY_ID.pattern}$"} for path in patterns if path.startswith("/v1/keys/")},
        "/v1/tenants/{id}": {f"^{tenant.NAME.pattern}$"},
    }


def test_every_reason_is_explained() -> None:
    for reason in Reason:
        assert f"`{reason}`" in RESULT["reason"]["description"]


def examples(media: dict[str, Any]) -> list[Any]:
    return [media["example"]] if "example" in media else [each["value"] for each in media.get("examples", {}).values()]


def test_examples_match_their_schemas() -> None:
    seen = 0
    for item in DOCUMENT["paths"].values():
        for operation in item.values():
            contents = [operation.get("requestBody", {}), *operation["responses"].values()]
            for media in (media for each in contents for media in each.get("content", {}).values()):
                for example in examples(media):
                    jsonschema.Draft202012Validator(media["schema"] | {"components": DOCUMENT["components"]}).validate(
                        example
                    )
                    seen += 1
    assert seen >= 30


def test_examples_of_requests_are_taken(function: Function) -> None:
    media = DOCUMENT["paths"]["/v1/canonicalize"]["post"]["requestBody"]["content"]["application/json"]

    assert [function.post(example).status for example in examples(media)] == [200, 200, 200]


def test_examples_of_discoveries_are_taken(discover: Discover) -> None:
    media = DOCUMENT["paths"]["/v1/discoveries"]["post"]["requestBody"]["content"]["application/json"]

    assert [discover.post(example).status for example in examples(media)] == [200, 200]


def test_every_schema_says_when_a_field_is_unknown() -> None:
    objects = {name for name, schema in SCHEMAS.items() if schema.get("type") == "object"}

    assert {name for name in objects if SCHEMAS[name].get("additionalProperties") is False} == objects


# --- answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        {"url": SENT, "register": True},
        {"url": SENT, "explain": True, "debug": True, "candidates": False},
        {"url": "https://example.com/gone", "register": True},
        {"url": "http://127.0.0.1/"},
        {"url": "nonsense and more", "explain": True},
        {"url": "https://example.com/page"},
    ],
)
def test_result_is_as_described(function: Function, body: dict[str, Any]) -> None:
    answer = function.post(body)

    assert answer.status == 200
    check(answer.body, "CanonicalizeResult")


def test_known_feed_is_as_described(function: Function) -> None:
    function.canonicalize(url=SENT, register=True)

    check(function.canonicalize(url=SENT, debug=True, explain=True).body, "CanonicalizeResult")
    check(function.canonicalize(url=SENT, register=True).body, "CanonicalizeResult")


def test_batch_is_as_described(function: Function) -> None:
    check(function.canonicalize(urls=[SENT, 7, "", "https://example.com/gone"]).body, "CanonicalizeBatch")


def test_problems_are_as_described(make_function: Callable[..., Function]) -> None:
    broken = make_function(store=BrokenStore(StoreUnavailable("down")))
    statuses = set()
    for body in ({"url": 1}, "{", {"url": CLEAN}):
        answer = broken.post(body)
        check(answer.body, "Problem")
        assert answer.body["status"] == answer.status
        statuses.add(str(answer.status))

    assert statuses == {"400", "503"}
    assert statuses <= set(DOCUMENT["paths"]["/v1/canonicalize"]["post"]["responses"])


@pytest.mark.parametrize(
    "url",
    [
        *("garden.example", "https://plaque.example/", "https://wall.example/", "https://slow.example/"),
        *("https://nowhere.example/", "http://127.0.0.1/", "two words"),
    ],
)
def test_a_site_matches_its_description(discover: Discover, url: str) -> None:
    answer = discover.post({"url": url})

    assert str(answer.status) in DOCUMENT["paths"]["/v1/discoveries"]["post"]["responses"]
    check(answer.body, "Discovery")
    if answer.body["site"]["id"]:
        check(discover.get("http_site", id=answer.body["site"]["id"]).body, "Discovery")
        check(discover.get("http_site_candidates", id=answer.body["site"]["id"]).body, "SiteCandidates")
    if answer.body["id"]:
        assert discover.deliver(*discover.directory.queue.messages) == []
        check(discover.get("http_discovery_job", id=answer.body["id"]).body, "Discovery")


def test_a_job_that_has_found_nothing_yet_is_as_described() -> None:
    job = Job(
        job_id=f"{64 * '0'}.{26 * '0'}",
        site_id=64 * "0",
        url="https://slow.example/",
        status=JobStatus.PENDING,
        created_at=0,
        updated_at=0,
    )

    check(encode_site(None, job), "Discovery")


def test_health_is_as_described(function: Function) -> None:
    check(function.call(read_event("http_health")).body, "Health")


def test_the_served_description_is_this_one(function: Function) -> None:
    assert function.call(read_event("http_openapi")).body == DOCUMENT


# --- generated requests ---------------------------------------------------------------------------


def as_event(request: Request) -> dict[str, Any]:
    """A WSGI request as the gateway would pass it on, when its routes end in a default route."""
    event = read_event("http_openapi")
    http = event["requestContext"]["http"] | {"method": request.method, "path": request.path}
    parameters = {name: ",".join(request.args.getlist(name)) for name in request.args}
    return event | {
        "routeKey": "$default",
        "rawPath": request.path,
        **({"queryStringParameters": parameters} if parameters else {}),
        "headers": {name.lower(): value for name, value in request.headers.items()},
        "body": request.get_data(as_text=True),
        "requestContext": event["requestContext"] | {"http": http},
    }


def as_wsgi(function: Function, discover: Discover, directory: DirectoryFunction) -> Callable[..., Iterable[bytes]]:
    """The functions as a WSGI application."""

    def application(environ: Any, start_response: Any) -> Iterable[bytes]:
        request = Request(environ)
        chosen: Function | Discover | DirectoryFunction = function
        if request.path.startswith(("/v1/discoveries", "/v1/sites")):
            chosen = discover
        elif request.path.startswith(OF_THE_DIRECTORY):
            chosen = directory
        answer = chosen.handler(as_event(request), chosen.context)
        response = Response(answer["body"], status=answer["statusCode"], headers=answer["headers"])
        return response(environ, start_response)

    return application


def test_names_of_the_directory_in_the_description_are_those_of_the_code() -> None:
    subscription = SCHEMAS["Subscription"]["properties"]
    parameters = {
        path: {each["name"]: each["schema"] for each in DOCUMENT["paths"][path]["get"]["parameters"]}
        for path in ("/v1/feeds", "/v1/feeds/{id}/audit", "/v1/subscriptions")
    }

    assert values(SCHEMAS["FeedState"]) == list(FeedState)
    assert names(values(SCHEMAS["Feed"]["properties"]["format"])) == names([*FeedFormat, None])
    assert values(subscription["status"]) == list(SubscriptionStatus)
    assert values(subscription["failure"]) == [*Failure, None]
    assert set(SCHEMAS["SubscriptionRequest"]["properties"]) == set(subscriptions_request.FIELDS)
    assert set(SCHEMAS["FeedAction"]["properties"]) == set(feeds_request.ACTION_FIELDS)
    assert set(SCHEMAS["UndoAction"]["properties"]) == set(feeds_request.UNDO_FIELDS)
    assert set(SCHEMAS["FeedSettings"]["properties"]) == set(feeds_request.SETTING_FIELDS)
    assert set(SCHEMAS["FeedSettings"]["required"]) == feeds_request.SETTINGS
    assert set(parameters["/v1/feeds"]) == set(feeds_request.LIST_PARAMETERS)
    assert set(parameters["/v1/feeds/{id}/audit"]) == {"id", *feeds_request.PAGE_PARAMETERS}
    assert set(parameters["/v1/subscriptions"]) == set(subscriptions_request.PAGE_PARAMETERS)
    limits = [parameters[path]["limit"]["maximum"] for path in ("/v1/feeds", "/v1/feeds/{id}/audit")]
    assert limits == [feeds_request.FEEDS_AT_MOST] * 2 == [read_feeds.PAGE_AT_MOST] * 2
    assert parameters["/v1/subscriptions"]["limit"]["maximum"] == subscribe.PAGE_AT_MOST
    assert {each["limit"]["default"] for each in parameters.values()} == {read_feeds.PAGE, subscribe.PAGE}


def test_names_of_collecting_in_the_description_are_those_of_the_code() -> None:
    row, run, edge = (SCHEMAS[name]["properties"] for name in ("FrontierRow", "Run", "EdgeMetadata"))
    parameters = {
        path: {
            *(each["name"] for each in DOCUMENT["paths"][path]["get"]["parameters"] if each["name"] != "filter"),
            *SCHEMAS[name]["properties"],
        }
        for path, name in FILTERS.items()
    }
    runs = [SCHEMAS[name]["properties"] for name in ("RunOfUrls", "ReprocessingRun")]

    assert set(values(SCHEMAS["FrontierError"])) == REASONS
    assert values(row["status"]) == list(RowStatus)
    assert (values(run["kind"]), values(run["status"])) == (list(RunKind), list(RunStatus))
    assert set(SCHEMAS["RunCounters"]["properties"]) == {each.name for each in fields(Counters)}
    assert set(SCHEMAS["StartedRun"]["properties"]) == {*run, "refused"}
    assert set(edge) == {each.name for each in fields(EdgeMetadata)}
    assert values(edge["selected"]) == [CANONICAL_URI, CONTENT_SHA256]
    assert values(edge["reason"]) == [f"same_{name}" for name in values(edge["selected"])]
    assert {name for each in runs for name in each} == set(lineage_request.RUN_FIELDS)
    assert {values(each["version"])[0] for each in runs} == {str(CURRENT)}
    assert {values(each["collector"])[0] for each in runs} == {CURRENT.collector}
    assert parameters["/v1/frontier"] == set(frontier_request.LIST_PARAMETERS)
    assert parameters["/v1/items"] == set(lineage_request.ITEM_PARAMETERS)


def test_limits_of_collecting_are_those_that_are_kept() -> None:
    urls = [SCHEMAS[name]["properties"]["urls"]["maxItems"] for name in ("FrontierSubmission", "RunOfUrls")]
    lists = [
        next(each["schema"] for each in DOCUMENT["paths"][path]["get"]["parameters"] if each["name"] == "limit")
        for path in ("/v1/frontier", "/v1/items")
    ]
    details = [
        DOCUMENT["paths"][path]["post"]["responses"]["413"]["content"]["application/problem+json"]["example"]["detail"]
        for path in ("/v1/frontier", "/v1/runs")
    ]

    assert urls == [frontier_request.URLS_AT_MOST, lineage_request.URLS_AT_MOST]
    assert urls == [read_frontier.URLS_AT_MOST, start_run.URLS_AT_MOST]
    assert [each["maximum"] for each in lists] == [frontier_request.ROWS_AT_MOST, lineage_request.ITEMS_AT_MOST]
    assert [each["maximum"] for each in lists] == [read_frontier.PAGE_AT_MOST, read_lineage.PAGE_AT_MOST]
    assert [each["default"] for each in lists] == [read_frontier.PAGE, read_lineage.PAGE]
    for detail, at_most in zip(details, (BODY_BYTES_AT_MOST, lineage_request.BODY_BYTES_AT_MOST), strict=True):
        assert str(at_most) in detail


def test_rows_runs_and_items_are_as_described(directory: DirectoryFunction) -> None:
    directory.directory.internet.network.update({A: page("one"), B: page("one", "Other"), C: {"status": 404}})
    media = DOCUMENT["paths"]["/v1/frontier"]["post"]["requestBody"]["content"]["application/json"]
    for example in [*examples(media), {"urls": [A, B, C, 7, None, {}]}]:
        answer = directory.post("/v1/frontier", example)
        assert answer.status == 202
        check(answer.body, "FrontierSubmitted")
    started = directory.post("/v1/runs", {"urls": [A, "", C]})
    check(started.body, "StartedRun")
    directory.collect()
    for found in ({"url": A}, {"last_error": "not_found"}, {"url": "https://unknown.example/"}):
        rows = directory.get("/v1/frontier", **found).body
        check(rows, "FrontierPage")
        for row in rows["rows"]:
            check(directory.get(f"/v1/frontier/{row['id']}").body, "FrontierRow")
    check(directory.get(f"/v1/runs/{started.body['id']}").body, "Run")
    check(directory.get("/v1/runs").body, "RunPage")
    check(directory.get("/v1/items", url=A).body, "CollectedItemPage")
    first = directory.get("/v1/frontier", url=A).body["rows"][0]["item_id"]
    run_id = directory.get(f"/v1/items/{first}").body["run_id"]
    items = directory.get("/v1/items", run=run_id).body
    check(items, "CollectedItemPage")
    assert len(items["items"]) == 2
    for item in items["items"]:
        check(directory.get(f"/v1/items/{item['id']}").body, "CollectedItem")
        check(directory.get(f"/v1/items/{item['id']}/edges").body, "ItemEdges")
        check(directory.get(f"/v1/items/{item['id']}/chain").body, "ItemChain")


def test_examples_of_runs_are_taken(directory: DirectoryFunction) -> None:
    media = DOCUMENT["paths"]["/v1/runs"]["post"]["requestBody"]["content"]["application/json"]
    statuses = [directory.post("/v1/runs", example).status for example in examples(media)]

    assert statuses == [202, 404]  # there is no such run here


def test_routes_of_the_directory_are_described() -> None:
    described = {
        f"{method.upper()} {path}"
        for path, item in DOCUMENT["paths"].items()
        for method in item
        if path.startswith(OF_THE_DIRECTORY)
    }
    no_services: Any = None

    routes = (directory_routes, collect_routes, import_routes, export_routes, key_routes, tenant_routes, webhook_routes)
    assert described == {route for each in routes for route in each(no_services)}


def test_a_feed_matches_its_description(directory: DirectoryFunction) -> None:
    item = Item(id="urn:1", title="First", published_at=NOW)
    feed_id = directory.feed("garden", title="Garden", format=FeedFormat.RSS, items=(item,), site_id="5" * 64)

    check(directory.get(f"/v1/feeds/{feed_id}").body, "Feed")
    check(directory.get("/v1/feeds").body, "FeedPage")
    check(directory.get(f"/v1/feeds/{feed_id}/items").body, "FeedItems")
    directory.move(feed_id, "https://new.example.org/feed")
    for on in (True, False):
        check(directory.patch(f"/v1/feeds/{feed_id}", {"collect_items": on}).body, "Feed")
    for action in ("pause", "check", "revive", "resume", "undo", "undo"):
        answer = directory.post(f"/v1/feeds/{feed_id}/{action}")
        assert str(answer.status) in DOCUMENT["paths"][f"/v1/feeds/{{id}}/{action}"]["post"]["responses"]
        check(answer.body, "Feed" if answer.status == 202 else "Problem")
    history = directory.get(f"/v1/feeds/{feed_id}/audit").body
    check(history, "FeedAudit")
    for entry in history["entries"]:
        assert f"`{entry['action']}`" in SCHEMAS["AuditEntry"]["properties"]["action"]["description"]


def test_searches_are_as_described(directory: DirectoryFunction) -> None:
    check(directory.get("/v1/search", q="garden").body, "Problem")
    index = make_index_function(directory)
    index.do("maintain")
    item = Item(id="urn:1", title="Slugs", published_at=NOW)
    feed_id = directory.feed("garden", title="Garden", format=FeedFormat.RSS, items=(item,), site_id="5" * 64)
    index.deliver(feed_id)
    for q in ("garden", "slugs", "example.com", "gardne", "nothing at all", "garden nothing"):
        check(index.search(q, parts="true").body, "SearchPage")
    check(directory.get("/v1/search/index").body, "SearchIndex")
    check(directory.post("/v1/search/rebuild").body, "RebuildRequest")
    parameters = {each["name"] for each in DOCUMENT["paths"]["/v1/search"]["get"]["parameters"]}
    assert parameters == set(search_request.SEARCH_PARAMETERS)
    assert set(values(SCHEMAS["Highlight"]["properties"]["field"])) == {"title", "url", "description", "item_title"}


def test_subscriptions_are_as_described(directory: DirectoryFunction) -> None:
    media = DOCUMENT["paths"]["/v1/subscriptions"]["post"]["requestBody"]["content"]["application/json"]
    for example in examples(media):
        answer = directory.post("/v1/subscriptions", example)
        assert answer.status == 202
        check(answer.body, "Subscription")
    check(directory.get("/v1/subscriptions").body, "SubscriptionPage")


def examples_of(route: str) -> int:
    """The number of drawn requests for a route: a body has many ways to be wrong, an id has few."""
    return 5 if "{id}" in route and route.startswith(("GET", "DELETE")) else 20


@pytest.mark.parametrize(
    ("route", "mode"),
    [
        ("POST /v1/canonicalize", GenerationMode.POSITIVE),
        ("POST /v1/canonicalize", GenerationMode.NEGATIVE),
        ("GET /v1/health", GenerationMode.POSITIVE),
        ("GET /v1/openapi.json", GenerationMode.POSITIVE),
        ("POST /v1/discoveries", GenerationMode.POSITIVE),
        ("POST /v1/discoveries", GenerationMode.NEGATIVE),
        ("GET /v1/discoveries/{id}", GenerationMode.POSITIVE),
        ("GET /v1/discoveries/{id}", GenerationMode.NEGATIVE),
        ("GET /v1/sites/{id}", GenerationMode.POSITIVE),
        ("GET /v1/sites/{id}/candidates", GenerationMode.POSITIVE),
        ("GET /v1/feeds/{id}", GenerationMode.POSITIVE),
        ("GET /v1/feeds/{id}", GenerationMode.NEGATIVE),
        ("PATCH /v1/feeds/{id}", GenerationMode.POSITIVE),
        ("PATCH /v1/feeds/{id}", GenerationMode.NEGATIVE),
        ("GET /v1/feeds/{id}/items", GenerationMode.POSITIVE),
        ("POST /v1/feeds/{id}/pause", GenerationMode.POSITIVE),
        ("POST /v1/feeds/{id}/pause", GenerationMode.NEGATIVE),
        ("POST /v1/feeds/{id}/undo", GenerationMode.POSITIVE),
        ("GET /v1/exports/jobs/{id}", GenerationMode.POSITIVE),
        ("POST /v1/subscriptions", GenerationMode.NEGATIVE),
        ("GET /v1/subscriptions/{id}", GenerationMode.POSITIVE),
        ("DELETE /v1/subscriptions/{id}", GenerationMode.POSITIVE),
        ("POST /v1/frontier", GenerationMode.NEGATIVE),
        ("GET /v1/frontier/{id}", GenerationMode.POSITIVE),
        ("POST /v1/runs", GenerationMode.NEGATIVE),
        ("GET /v1/runs/{id}", GenerationMode.POSITIVE),
        ("GET /v1/items/{id}", GenerationMode.POSITIVE),
        ("GET /v1/items/{id}/chain", GenerationMode.POSITIVE),
        ("POST /v1/webhooks", GenerationMode.NEGATIVE),
        ("PATCH /v1/webhooks/{id}", GenerationMode.NEGATIVE),
        ("GET /v1/webhooks/{id}", GenerationMode.POSITIVE),
    ],
)
def test_generated_requests_get_described_answers(
    function: Function, discover: Discover, directory: DirectoryFunction, route: str, mode: GenerationMode
) -> None:
    """Valid requests are accepted, invalid ones refused, and each answer is in the description."""
    schema = schemathesis.openapi.from_dict(WITHOUT_KEYS)
    schema.app = as_wsgi(function, discover, directory)
    method, path = route.split()
    statuses, keys = set(), itertools.count()

    @given(case=schema[path][method].as_strategy(generation_mode=mode))
    @settings(max_examples=examples_of(route), suppress_health_check=list(HealthCheck), database=None)
    def every_case(case: schemathesis.Case) -> None:
        if mode is GenerationMode.POSITIVE and case.headers and IDEMPOTENCY_KEY in case.headers:
            case.headers[IDEMPOTENCY_KEY] = f"key-{next(keys)}"  # one that was drawn before has another body
        statuses.add(case.call_and_validate().status_code)

    every_case()
    assert statuses
    assert not statuses & ({200, 500, 503} if mode is GenerationMode.NEGATIVE else {500, 503})
    assert mode is GenerationMode.NEGATIVE or statuses == {404 if "{id}" in route else 200}


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/v1/feeds", "FeedPage"),
        ("/v1/subscriptions", "SubscriptionPage"),
        ("/v1/search", "SearchPage"),
        ("/v1/feeds/{id}/audit", "FeedAudit"),
        ("/v1/frontier", "FrontierPage"),
        ("/v1/items", "CollectedItemPage"),
    ],
)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_generated_parameters_of_lists_get_described_answers(
    function: Function, discover: Discover, directory: DirectoryFunction, path: str, page: str, mode: GenerationMode
) -> None:
    """A schema cannot describe a valid cursor, so a page and a problem are both right."""
    schema = schemathesis.openapi.from_dict(WITHOUT_KEYS)
    schema.app = as_wsgi(function, discover, directory)
    directory.ports.search_feed.rebuild([], now=NOW)

    @given(case=schema[path]["GET"].as_strategy(generation_mode=mode))
    @settings(max_examples=12, suppress_health_check=list(HealthCheck), database=None)
    def every_case(case: schemathesis.Case) -> None:
        answer = case.call()
        assert answer.status_code in {200, 400, 404}
        check(answer.json(), page if answer.status_code == 200 else "Problem")

    every_case()


def test_json_of_an_answer_is_plain_ascii(function: Function) -> None:
    event = read_event("http_canonicalize_one") | {"body": json.dumps({"url": "https://münchen.example/\u2028"})}

    assert function.handler(event, function.context)["body"].isascii()
