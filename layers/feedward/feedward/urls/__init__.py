"""URLs: parsing, safety, normalization, the key, private tokens. Pure."""
