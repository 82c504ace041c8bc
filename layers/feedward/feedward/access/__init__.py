"""Access control: keys, scopes and the caller of a request. Pure."""

SELF = "_self"
"""The deployment's own user as a part of keys and names; no tenant can have this name."""
NEVER = 0
"""The end of a key without one in the authorizer's verdict: the gateway passes numbers, but no null."""
