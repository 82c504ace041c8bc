"""Access control: keys, scopes and the caller of a request. Pure."""

from typing import Final

SELF: Final = "_self"
"""The deployment's own user as a part of keys and names; no tenant can have this name."""
