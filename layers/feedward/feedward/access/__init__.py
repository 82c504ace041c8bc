"""Access control: keys, scopes and the caller of a request. Pure."""

SELF = "_self"
"""The deployment's own user as a part of keys and names; no tenant can have this name."""
NEVER = 0
"""The end of a key without one in the authorizer's verdict: the gateway passes numbers, but no null."""


def name_of(tenant_id: str | None) -> str:
    """Return a tenant's name as a part of keys and texts: `_self` for the deployment's own user."""
    return SELF if tenant_id is None else tenant_id


def tenant_named(name: str) -> str | None:
    """Return the tenant with this name in keys and texts: None for the deployment's own user."""
    return None if name == SELF else name
