"""Configures the guarded fetch of a deployment, and its access to RSSHub."""

from __future__ import annotations

from typing import Final

from feedward.adapters.fetching.settings import FetchSettings, browser_user_agent, user_agent
from feedward.config import Settings
from feedward.errors import InvalidSetting
from feedward.ports import PageFetcher
from feedward.urls.safety import refuse_url

# Time for one request if the caller sets no shorter limit: a discovery job waits this long for a slow site (rule D5).
REQUEST_S: Final = 15.0


def fetch_settings(settings: Settings) -> FetchSettings:
    """Return the settings of the guarded fetch for this deployment."""
    return FetchSettings(
        total_s=REQUEST_S,
        io_s=REQUEST_S,
        follow_redirects=settings.follow_redirects,
        max_redirects=settings.max_redirects,
        user_agent=user_agent(settings.contact_url),
        browser_user_agent=browser_user_agent(settings.contact_url),
    )


def rsshub_base(settings: Settings) -> str | None:
    """Return the base URL of RSSHub, None without one. Raises InvalidSetting if the guarded fetch would refuse it."""
    base = settings.rsshub_base_url
    refusal = refuse_url(base) if base else None
    if refusal is not None:
        raise InvalidSetting("RSSHUB_BASE_URL", f"cannot be requested: {refusal.detail}")
    return base or None


def with_rsshub_access(fetcher: PageFetcher, settings: Settings) -> PageFetcher:
    """Return `fetcher`, wrapped if RSSHub is private: it then sends the access key, which its first use reads."""
    if not (settings.rsshub_base_url and settings.rsshub_access_key_parameter):
        return fetcher
    from feedward.adapters.fetching.rsshub_access import RsshubAccess  # noqa: PLC0415
    from feedward.adapters.ssm import SsmParameter  # noqa: PLC0415

    parameter = SsmParameter(settings.rsshub_access_key_parameter)
    return RsshubAccess(fetcher, base_url=settings.rsshub_base_url, access_key=parameter.value)
