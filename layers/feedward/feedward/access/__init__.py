"""Who may do what: keys, scopes and the caller of a request. Pure."""
