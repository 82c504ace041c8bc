"""Settings of a deployment, read from the environment once and validated. No other module reads the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

from feedward.errors import InvalidSetting
from feedward.frontier.settings import DEFAULT_SETTINGS, FrontierSettings, MoveOn

TRUTHS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
REDIRECTS_AT_MOST = 20
ATTEMPTS_AT_MOST = 20
HOST_PAUSE_AT_MOST_S = 60.0
HISTORY_DAYS_AT_MOST = 3650
CONCURRENCY_AT_MOST = 100_000
API_AUTHS = ("keys", "open")
SEARCH_BACKENDS = ("sqlite", "opensearch")
PUBLIC_RSSHUB = "https://rsshub.app"
_PUBLIC_BASE = re.compile(
    r"(?:https://[a-z0-9.-]+(?::\d{1,5})?|http://127\.0\.0\.1:\d{1,5})(?:/[A-Za-z0-9._~-]+)*", re.ASCII
)
_DECIMAL = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,3})?", re.ASCII)


# Neither compared nor printed: the methods for it would be made at every cold start.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Settings:
    """The settings of a deployment. The names in capitals are environment variables.

    `urls_table`, `feeds_table`, `state_table`: names of the tables (URLS_TABLE, FEEDS_TABLE, STATE_TABLE; required).
    `follow_redirects`, `max_redirects`: apply to every fetch (FOLLOW_REDIRECTS, MAX_REDIRECTS: 0 to 20).
    `contact_url`: a contact for site owners, part of the User-Agent (CONTACT_URL).
    `sites_table`, `discover_queue_url`, `event_bus_name`: for discovery (SITES_TABLE, DISCOVER_QUEUE_URL,
    EVENT_BUS_NAME). `tenants_table`: for subscriptions (TENANTS_TABLE).
    `keys_table`: for keys (KEYS_TABLE). `health_queue_url`: for checks
    (HEALTH_QUEUE_URL). Only functions that use them need them: `required` checks that they are set.
    `rsshub_base_url`: the RSSHub instance to use for sites without a feed (RSSHUB_BASE_URL); empty for none.
    `rsshub_access_key_parameter`: name of the SSM parameter that holds its access key (RSSHUB_ACCESS_KEY_PARAMETER).
    `frontier_table`, `lineage_table`, `bodies_bucket`, `frontier_queue_url`: for collecting (FRONTIER_TABLE,
    LINEAGE_TABLE, BODIES_BUCKET, FRONTIER_QUEUE_URL), checked by `required` too.
    `pack_signing_key_arn`: the KMS key that signs exports (PACK_SIGNING_KEY_ARN); empty for none.
    `search_bucket`: the bucket of the search index (SEARCH_BUCKET). `search_backend`: where searches are answered
    (SEARCH_BACKEND sqlite or opensearch). `opensearch_url` and `opensearch_index`: the cluster and its index
    (OPENSEARCH_URL, OPENSEARCH_INDEX).
    `webhooks_table`, `webhook_queue_url`, `webhook_key_arn`: for webhooks (WEBHOOKS_TABLE, WEBHOOK_QUEUE_URL,
    WEBHOOK_KEY_ARN: the KMS key of their secrets, and of subscriptions to hubs). `public_base_url`: where hubs reach
    this API (PUBLIC_BASE_URL); empty for no push. `own_host`: the API's own host, which gets no webhook (OWN_HOST).
    `is_open`: whether requests without a key are accepted, as on the local stack (API_AUTH keys or open). The default
    is keys.
    `history_days`: retention of audit log entries of feeds (HISTORY_RETENTION_DAYS: 1 to 3650; 0 is forever).
    `frontier`: how pages are fetched (FRONTIER_MOVE_ON any or permanent, FRONTIER_MAX_ATTEMPTS 1 to 20,
    FRONTIER_HOST_PAUSE_S seconds from 0 to 60, FRONTIER_RESPECT_ROBOTS).
    `refresh`: whether there are functions that check and collect (REFRESH).
    `quotas`: limits of tenants (DEFAULT_QUOTAS, name=limit with commas); empty for none. `reserved_concurrency`: the
    reserved concurrency of this function (RESERVED_CONCURRENCY); -1 for none.
    """

    urls_table: str
    feeds_table: str
    state_table: str
    follow_redirects: bool = True
    max_redirects: int = 5
    contact_url: str = ""
    sites_table: str = ""
    discover_queue_url: str = ""
    event_bus_name: str = ""
    rsshub_base_url: str = PUBLIC_RSSHUB
    rsshub_access_key_parameter: str = ""
    tenants_table: str = ""
    keys_table: str = ""
    health_queue_url: str = ""
    frontier_table: str = ""
    lineage_table: str = ""
    bodies_bucket: str = ""
    frontier_queue_url: str = ""
    pack_signing_key_arn: str = ""
    search_bucket: str = ""
    search_backend: str = "sqlite"
    opensearch_url: str = ""
    opensearch_index: str = "feedward"
    webhooks_table: str = ""
    webhook_queue_url: str = ""
    webhook_key_arn: str = ""
    public_base_url: str = ""
    own_host: str = ""
    is_open: bool = False
    history_days: int = 0
    frontier: FrontierSettings = DEFAULT_SETTINGS
    refresh: bool = True
    quotas: str = ""
    reserved_concurrency: int = -1
    discover_at_once: int = 2

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
        """Read the settings from `env`. Raises InvalidSetting, which names the variable."""
        return cls(
            urls_table=_required(env, "URLS_TABLE"),
            feeds_table=_required(env, "FEEDS_TABLE"),
            state_table=_required(env, "STATE_TABLE"),
            **_redirects(env),
            contact_url=_contact_url(env),
            sites_table=_optional(env, "SITES_TABLE"),
            discover_queue_url=_optional(env, "DISCOVER_QUEUE_URL"),
            event_bus_name=_optional(env, "EVENT_BUS_NAME"),
            rsshub_base_url=_rsshub_base_url(env),
            rsshub_access_key_parameter=_optional(env, "RSSHUB_ACCESS_KEY_PARAMETER"),
            tenants_table=_optional(env, "TENANTS_TABLE"),
            keys_table=_optional(env, "KEYS_TABLE"),
            health_queue_url=_optional(env, "HEALTH_QUEUE_URL"),
            frontier_table=_optional(env, "FRONTIER_TABLE"),
            lineage_table=_optional(env, "LINEAGE_TABLE"),
            bodies_bucket=_optional(env, "BODIES_BUCKET"),
            frontier_queue_url=_optional(env, "FRONTIER_QUEUE_URL"),
            pack_signing_key_arn=_optional(env, "PACK_SIGNING_KEY_ARN"),
            search_bucket=_optional(env, "SEARCH_BUCKET"),
            search_backend=_search_backend(env),
            opensearch_url=_optional(env, "OPENSEARCH_URL"),
            opensearch_index=_optional(env, "OPENSEARCH_INDEX").lower() or "feedward",
            webhooks_table=_optional(env, "WEBHOOKS_TABLE"),
            webhook_queue_url=_optional(env, "WEBHOOK_QUEUE_URL"),
            webhook_key_arn=_optional(env, "WEBHOOK_KEY_ARN"),
            public_base_url=_public_base_url(env),
            own_host=_optional(env, "OWN_HOST").lower(),
            is_open=_is_open(env),
            history_days=_whole_number(env, "HISTORY_RETENTION_DAYS", default=0, at_most=HISTORY_DAYS_AT_MOST),
            frontier=frontier_settings(env),
            refresh=_truth(env, "REFRESH", default=True),
            quotas=_optional(env, "DEFAULT_QUOTAS"),
            reserved_concurrency=_reserved_concurrency(env),
            discover_at_once=_whole_number(env, "DISCOVER_AT_ONCE", default=2, at_least=1, at_most=CONCURRENCY_AT_MOST),
        )

    @property
    def own_hosts(self) -> tuple[str, ...]:
        """The hosts of this deployment: a webhook to one, or a hub at one, would be a loop (rule K13)."""
        hosts = (self.own_host, urlsplit(self.public_base_url).hostname or "")
        return tuple(host.rstrip(".") for host in hosts if host)

    def required(self, name: str) -> str:
        """Return the setting of this name. Raises InvalidSetting if it is empty."""
        return _required({name.upper(): getattr(self, name)}, name.upper())


def from_environment() -> Settings:
    """Return the settings of this process. Raises InvalidSetting."""
    return Settings.from_env(os.environ)


def frontier_settings(env: Mapping[str, str]) -> FrontierSettings:
    """Return the settings of the frontier. Raises InvalidSetting, which names the variable."""
    default = DEFAULT_SETTINGS
    return FrontierSettings(
        move_on=_move_on(env),
        max_attempts=_whole_number(
            env, "FRONTIER_MAX_ATTEMPTS", default=default.max_attempts, at_least=1, at_most=ATTEMPTS_AT_MOST
        ),
        host_pause_s=_seconds(env, "FRONTIER_HOST_PAUSE_S", default=default.host_pause_s, at_most=HOST_PAUSE_AT_MOST_S),
        respect_robots=_truth(env, "FRONTIER_RESPECT_ROBOTS", default=default.respect_robots),
        **_redirects(env),
    )


def _redirects(env: Mapping[str, str]) -> dict[str, Any]:
    """Return the redirect settings, which apply to every fetch."""
    return {
        "follow_redirects": _truth(env, "FOLLOW_REDIRECTS", default=True),
        "max_redirects": _whole_number(env, "MAX_REDIRECTS", default=5, at_most=REDIRECTS_AT_MOST),
    }


def _required(env: Mapping[str, str], variable: str) -> str:
    value = env.get(variable, "").strip()
    if not value:
        raise InvalidSetting(variable, "is not set")
    return value


def _optional(env: Mapping[str, str], variable: str) -> str:
    return env.get(variable, "").strip()


def _truth(env: Mapping[str, str], variable: str, *, default: bool) -> bool:
    value = env.get(variable, "").strip().lower()
    if not value:
        return default
    if value not in TRUTHS:
        raise InvalidSetting(variable, f"is true or false, not {value[:40]!r}")
    return TRUTHS[value]


def _whole_number(env: Mapping[str, str], variable: str, *, default: int, at_least: int = 0, at_most: int) -> int:
    value = env.get(variable, "").strip()
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and len(value) < 10 and at_least <= int(value) <= at_most):
        raise InvalidSetting(variable, f"is a whole number from {at_least} to {at_most}, not {value[:40]!r}")
    return int(value)


def _reserved_concurrency(env: Mapping[str, str]) -> int:
    if env.get("RESERVED_CONCURRENCY", "").strip() == "-1":
        return -1
    return _whole_number(env, "RESERVED_CONCURRENCY", default=-1, at_most=CONCURRENCY_AT_MOST)


def _seconds(env: Mapping[str, str], variable: str, *, default: float, at_most: float) -> float:
    """Read a number of seconds, such as 1 or 0.5."""
    value = env.get(variable, "").strip()
    if not value:
        return default
    if not (_DECIMAL.fullmatch(value) and float(value) <= at_most):
        raise InvalidSetting(variable, f"is a number of seconds from 0 to {at_most:g}, not {value[:40]!r}")
    return float(value)


def _move_on(env: Mapping[str, str]) -> MoveOn:
    value = env.get("FRONTIER_MOVE_ON", "").strip().lower() or DEFAULT_SETTINGS.move_on.value
    if value not in tuple(MoveOn):
        raise InvalidSetting("FRONTIER_MOVE_ON", f"is {' or '.join(MoveOn)}, not {value[:40]!r}")
    return MoveOn(value)


def _is_open(env: Mapping[str, str]) -> bool:
    value = env.get("API_AUTH", "").strip().lower() or API_AUTHS[0]
    if value not in API_AUTHS:
        raise InvalidSetting("API_AUTH", f"is {' or '.join(API_AUTHS)}, not {value[:40]!r}")
    return value == "open"


def _search_backend(env: Mapping[str, str]) -> str:
    value = env.get("SEARCH_BACKEND", "").strip().lower() or SEARCH_BACKENDS[0]
    if value not in SEARCH_BACKENDS:
        raise InvalidSetting("SEARCH_BACKEND", f"is {' or '.join(SEARCH_BACKENDS)}, not {value[:40]!r}")
    return value


def _contact_url(env: Mapping[str, str]) -> str:
    contact = env.get("CONTACT_URL", "").strip()
    if not (contact.isascii() and contact.isprintable() and " " not in contact and len(contact) <= 200):
        raise InvalidSetting("CONTACT_URL", "is a URL or an address of at most 200 visible ASCII characters")
    return contact


def _public_base_url(env: Mapping[str, str]) -> str:
    """Read the public base URL, without a slash at its end. Only a loopback address may be http (the local stack)."""
    base = env.get("PUBLIC_BASE_URL", "").strip().rstrip("/")
    is_url = _PUBLIC_BASE.fullmatch(base) is not None and len(base) <= 200
    if base and not is_url:
        raise InvalidSetting("PUBLIC_BASE_URL", "is an https URL of at most 200 characters: a host, and maybe a path")
    return base


def _rsshub_base_url(env: Mapping[str, str]) -> str:
    """Read the base URL: the public instance if the variable is not set, none if it is empty."""
    base = env.get("RSSHUB_BASE_URL", PUBLIC_RSSHUB).strip()
    is_url = base.startswith(("https://", "http://")) and base.isascii() and base.isprintable() and " " not in base
    if base and not (is_url and len(base) <= 200 and not {"?", "#", "@"} & set(base)):
        # The message does not quote the value, which may hold a password or a key.
        raise InvalidSetting(
            "RSSHUB_BASE_URL", "is an http(s) URL of at most 200 characters, without user, password, query and fragment"
        )
    return base
