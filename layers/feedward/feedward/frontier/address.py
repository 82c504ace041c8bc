"""Where a row is: its URL, the hash that finds it and its host (spec F4, frontier-redirects.md section 2). Pure."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.errors import InvalidInput
from feedward.urls.key import url_hash
from feedward.urls.safety import DEFAULT_POLICY, Refusal, UrlPolicy, admit_url, request_url


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """`url` without fragment; `url_hash` of its key, in the scope of its owner; `host` without a last dot."""

    url: str
    url_hash: str
    host: str


def address_of(
    url: str, *, owner: str | None = None, field: str = "url", policy: UrlPolicy = DEFAULT_POLICY
) -> Address:
    """Return where a row of this URL is, as it landed or was resolved. `owner`: the tenant of a private URL.

    Raises InvalidInput, which names `field`, for what the guarded fetch would not fetch under this policy.
    """
    admitted = admit_url(url, policy)
    if isinstance(admitted, Refusal):
        raise InvalidInput(field, admitted.detail)
    written = request_url(admitted)
    try:
        return Address(url=written, url_hash=url_hash(written, owner or ""), host=admitted.hostname.removesuffix("."))
    except InvalidInput as error:
        raise InvalidInput(field, error.message) from error
