"""The owner of a URL and of the data derived from it (rules T1, T4, TN2, TN6, TN7). Pure.

A URL with a token belongs to the caller that submitted it. A tenant's URL is stored under the tenant. A URL of the
deployment's own user is stored like a shared URL, as it was before there were keys: its token shows that it is private.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from feedward.access import SELF, name_of
from feedward.urls.secrets import has_token

if TYPE_CHECKING:
    from feedward.model import Known


def scope_of(tenant_id: str | None, url: str) -> str:
    """Return the scope under which a tenant's URL is stored: the tenant for a URL with a token, empty for a shared URL.

    It is also empty for the deployment's own user.
    """
    return tenant_id if tenant_id is not None and has_token(url) else ""


def is_visible(tenant_id: str | None, *, owner: str | None, url: str) -> bool:
    """Return whether a tenant may see an object of this owner (None or empty: none) for a URL (rule I8)."""
    if owner:
        return owner == tenant_id
    return tenant_id is None or not has_token(url)


def is_shared(*, owner: str | None, url: str) -> bool:
    """Return whether all tenants may see it."""
    return not owner and not has_token(url)


def fit_aliases(url: str, aliases: Sequence[str], *, scope: str) -> tuple[str, ...]:
    """Return the URLs that may become aliases of the feed at `url` (rule TN7).

    Outside of a tenant's own scope, a feed without a token takes no alias with a token, and the reverse: a caller that
    knows one URL would learn the other.
    """
    if scope:
        return tuple(aliases)
    is_own = has_token(url)
    return tuple(alias for alias in aliases if has_token(alias) == is_own)


def is_of_another(tenant_id: str | None, url: str, *, scope: str) -> bool:
    """Return whether the feed at `url`, found in a scope, belongs to the deployment's own user, not to this tenant."""
    return not scope and not is_visible(tenant_id, owner=None, url=url)


_KEY: Final = re.compile(rf"({SELF}|[a-z0-9-]{{1,64}})/[0-9A-Za-z]+")
ANOTHER: Final = "another tenant"


def known_to(tenant_id: str | None, known: Known | None, *, scope: str) -> Known | None:
    """Return the known feed of a tenant's URL. Feeds of the deployment's own user are hidden from others (rule TN7)."""
    return None if known is None or is_of_another(tenant_id, known.url, scope=scope) else known


def shown_name(tenant_id: str | None, by: str) -> str:
    """Return the author of an audit log entry as a tenant sees it: only its own tenant sees a key's name (rule TN8).

    An action of feedward itself has a word without a slash. Before there were keys, callers had AWS names.
    """
    if "/" not in by and ":" not in by:
        return by
    key = _KEY.fullmatch(by)
    owner = key[1] if key else SELF
    return by if owner == name_of(tenant_id) else ANOTHER


def prefix_of(scope: str) -> str:
    """Return the prefix of the names of a tenant's objects; empty for shared objects.

    Tenant names have no underscore, so no shared object has such a name.
    """
    return f"_{scope}/" if scope else ""
