"""Access control: keys, scopes and the caller of a request. Pure."""
