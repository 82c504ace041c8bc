"""A lost feed, looked for again where its site is."""
