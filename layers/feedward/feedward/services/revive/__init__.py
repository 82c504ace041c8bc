"""Revival: searches for a lost feed at its site."""
