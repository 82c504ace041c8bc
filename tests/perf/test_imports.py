"""A cold start loads only modules that the first request needs, and not much more than the floor."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bench import cold_start
from bench.cold_start import DISCOVER, STARTS, Loaded, source_of

# Each costs more than all of feedward's own modules: 0.5 to 1.2 times the floor when it was measured.
NEVER = (
    "aws_xray_sdk",
    "pydantic",
    "boto3",
    "aws_lambda_powertools.event_handler",
    "publicsuffixlist",
    "selectolax",
    "requests",
    "asyncio",
    "feedward.feeds.parse",
    "feedward.api.idempotency",  # requests with a key pay for it
    "feedward.ports.idempotency",
    "feedward.adapters.dynamodb.state.idempotency",
)
# Modules that only some calls need, by function: messages, searches, schedules.
NOT_BY_EACH_CALL = (
    "aws_lambda_powertools.utilities.batch",
    "feedward.adapters.eventbridge",
    "feedward.adapters.sqs",
)
# Modules of the first search.
OF_SEARCH = ("feedward.adapters.search", "feedward.api.search", "feedward.services.search.search_feeds")
NEVER_OF = {
    "page": ("feedward.adapters", "feedward.bootstrap", "feedward.services", "feedward.ports"),
    # It starts for each new key, and a caller waits: no logger, no route, nothing of the directory.
    "authorize": (
        "aws_lambda_powertools",
        "feedward.api",
        "feedward.bootstrap",
        "feedward.observability",
        "feedward.ports",
        "feedward.adapters.fetching",
        "feedward.adapters.dynamodb.access.key_store",
        "feedward.services.access.manage_keys",
    ),
    "canonicalize": (),
    "discover": (
        *NOT_BY_EACH_CALL,
        "feedward.discovery.platforms",
        "feedward.discovery.page",
        "feedward.discovery.rsshub",
        "feedward.services.canonicalize",
        "feedward.services.discover.discover_site",
        "feedward.services.discover.site_run",  # and all that runs a discovery
    ),
    "directory": (
        *NOT_BY_EACH_CALL,
        *OF_SEARCH,
        "feedward.api.frontier",
        "feedward.api.lineage",
        "feedward.api.subscriptions",
        "feedward.search",
        "feedward.services.collect",
        "feedward.services.directory.act_on_feed",
        "feedward.services.discover",
        "feedward.services.subscribe",
        "sqlite3",
    ),
    "health_check": (*NOT_BY_EACH_CALL, "feedward.services.discover", "feedward.services.sweep"),
    "collect": (
        *NOT_BY_EACH_CALL,
        "feedward.adapters.dynamodb.frontier.sweep_store",
        "feedward.adapters.dynamodb.registry.rekey",
        "feedward.services.collect.run_jobs",
        "feedward.services.discover",
        "feedward.services.sweep",
        "protego",
    ),
    "index": (*NOT_BY_EACH_CALL, *OF_SEARCH, "feedward.services.search.maintain_index"),
    "push": (
        *NOT_BY_EACH_CALL,
        *OF_SEARCH,
        "feedward.push.hub",
        "feedward.push.hub_choice",
        "feedward.push.subscribing",
        "feedward.services.push.subscribe",
        "feedward.services.sweep",
        "feedward.services.webhooks",
    ),
    "notify": (
        *NOT_BY_EACH_CALL,
        *OF_SEARCH,
        "feedward.api.webhooks",
        "feedward.services.sweep",
        "feedward.services.webhooks.manage",
        "feedward.services.webhooks.sweep_tasks",
    ),
}
# Modules that each start has to load: a list of modules not loaded proves nothing about a start that loads none.
ALWAYS_OF = {
    "page": "feedward.api.page_files",
    "authorize": "feedward.services.access.authorize",
    "canonicalize": "feedward.services.canonicalize.canonicalize",
    "discover": "feedward.services.discover.read_sites",
    "directory": "feedward.services.directory.read_feeds",
    "health_check": "feedward.services.check.check_feed",
    "collect": "feedward.services.collect.collect_batch",
    "index": "feedward.services.search.index_feeds",
    "notify": "feedward.services.webhooks.work_batch",
    "push": "feedward.services.push.receive",
}
# The project's own modules, and their bytes of code: the current ones, and a little room. Time depends on the machine,
# so that `make bench` prints it.
AT_MOST = {
    "authorize": (35, 44_200),
    "canonicalize": (98, 166_300),
    "discover": (82, 133_500),
    "directory": (95, 159_400),
    "health_check": (157, 270_500),
    "collect": (160, 289_400),
    "page": (16, 24_300),
    "push": (125, 209_300),
    "index": (71, 113_300),
    "notify": (132, 230_900),
}
# Besides the standard library and the modules of the floor.
LIBRARIES = {"app", "feedward", "can_ada"}


def run(code: str, function: str = "canonicalize") -> subprocess.CompletedProcess[str]:
    return cold_start.run(cold_start.CONTEXT + code, source_of(function))


@pytest.fixture(scope="module", params=STARTS)
def function(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def loaded(function: str) -> Loaded:
    return cold_start.loaded_by(STARTS[function], source_of(function))


@pytest.fixture(scope="module")
def floor() -> Loaded:
    return cold_start.loaded_by(cold_start.FLOOR)


def parts_of(loaded: Loaded, module: str) -> list[str]:
    """The module and those below it, as far as they are loaded."""
    return sorted(name for name in loaded.modules if name == module or name.startswith(f"{module}."))


def test_a_cold_start_loads_nothing_that_the_first_call_does_not_need(function: str, loaded: Loaded) -> None:
    assert ALWAYS_OF[function] in loaded.modules
    assert {
        module: parts_of(loaded, module) for module in (*NEVER, *NEVER_OF[function]) if parts_of(loaded, module)
    } == {}


def test_a_cold_start_stays_within_its_budget_of_modules_and_code(function: str, loaded: Loaded) -> None:
    modules, code = AT_MOST[function]

    assert len(loaded.own_modules) <= modules
    assert loaded.code <= code


def test_a_cold_start_loads_no_library_that_the_floor_does_not(loaded: Loaded, floor: Loaded) -> None:
    beyond = {name.partition(".")[0] for name in loaded.modules - floor.modules}

    assert beyond - LIBRARIES - sys.stdlib_module_names == set()


def test_the_list_of_packages_that_are_not_loaded_can_fail() -> None:
    assert parts_of(cold_start.loaded_by("import app, pydantic"), "pydantic")


def test_the_budget_counts_the_code_of_nested_functions_too() -> None:
    less, more = (
        cold_start.loaded_by(f"import {name}") for name in ("feedward.ulid", "feedward.ulid, feedward.errors")
    )

    assert more.own_modules - less.own_modules == {"feedward.errors"}
    assert more.code > less.code > 500


def platform_files_loaded_by(code: str) -> set[str]:
    below = "feedward.discovery.platforms."
    loaded = cold_start.loaded_by(f"from feedward.discovery.platforms.index import platform_leads\n{code}")
    return {name.removeprefix(below) for name in parts_of(loaded, below[:-1])[1:]}


def test_a_url_of_a_platform_loads_the_rules_of_its_family_alone() -> None:
    known_to_no_rule = platform_files_loaded_by("assert platform_leads('https://example.org/') == []")
    of_github = platform_files_loaded_by("assert platform_leads('https://github.com/owner/name')")

    assert known_to_no_rule == {"index", "rule"}
    assert of_github - known_to_no_rule == {"github"}


def test_a_search_that_a_feed_settles_loads_nothing_for_guesses() -> None:
    code = """
from feedward.model import FetchResult, Outcome
from feedward.services.discover.discover import discover
page = b"<!doctype html><title>A</title><link rel=alternate type=application/rss+xml href=/feed>"
feed = b"<rss version='2.0'><channel><title>A</title><item><title>B</title></item></channel></rss>"
class Fetcher:
    def fetch(self, url, **options):
        return FetchResult(url=url, outcome=Outcome.OK, status=200, body=feed if url.endswith("/feed") else page)
assert discover("https://example.org/", fetcher=Fetcher()).canonical
"""
    loaded = cold_start.loaded_by(code)

    assert "feedward.services.discover.first_stages" in loaded.modules
    assert parts_of(loaded, "feedward.services.discover.guesses") == []
    assert parts_of(loaded, "feedward.discovery.rsshub") == []


def test_no_certificates_are_loaded_before_the_first_https_request() -> None:
    code = """
import ssl
made = []
create = ssl.create_default_context
ssl.create_default_context = lambda *arguments, **options: made.append(1) or create(*arguments, **options)
import app
fetcher = app.bootstrap.services().fetcher
assert made == []
fetcher.tls_context()
assert made == [1]
"""
    done = run(code)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def imported(function: str) -> subprocess.CompletedProcess[str]:
    """A process without settings that imported the handler, made no client, and told about its collector."""
    code = """
import botocore.session
def refuse(*arguments, **options): raise AssertionError("a client was made")
botocore.session.Session.create_client = refuse
import os
for name in ("URLS_TABLE", "FEEDS_TABLE", "STATE_TABLE"): del os.environ[name]
import app, gc
print(gc.isenabled(), gc.get_freeze_count())
"""
    return run(code, function)


def test_importing_the_handler_makes_no_client_and_reads_no_settings(
    imported: subprocess.CompletedProcess[str],
) -> None:
    assert imported.returncode == 0, imported.stderr


def test_only_the_clients_that_a_call_needs_are_made() -> None:
    code = """
import botocore.session
made, make = [], botocore.session.Session.create_client
def note(self, service, *arguments, **options):
    made.append(service)
    return make(self, service, *arguments, **options)
botocore.session.Session.create_client = note
"""
    done = run(code + DISCOVER + "\nassert made == ['dynamodb'], made", "discover")
    assert done.returncode == 0, done.stderr


def test_the_collector_works_again_after_the_start(imported: subprocess.CompletedProcess[str]) -> None:
    is_enabled, frozen = imported.stdout.split()
    assert is_enabled == "True"
    assert int(frozen) > 1000
