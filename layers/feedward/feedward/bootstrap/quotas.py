"""The quotas of a deployment, loaded by the first charge."""

from __future__ import annotations

from feedward.config import Settings
from feedward.errors import InvalidInput, InvalidSetting
from feedward.ports import Clock
from feedward.ports.quotas import QuotaCounters
from feedward.quotas.quota import places_of, read_limits
from feedward.services.quotas.meter import Meter


def meter(settings: Settings, counters: QuotaCounters, clock: Clock) -> Meter:
    """Return the meter that charges tenants. Raises InvalidSetting for limits that cannot be read."""
    try:
        default = read_limits(settings.quotas)
    except InvalidInput as error:
        raise InvalidSetting("DEFAULT_QUOTAS", error.message) from None
    return Meter(counters, clock, default=default, places=places_of(settings.reserved_concurrency))
