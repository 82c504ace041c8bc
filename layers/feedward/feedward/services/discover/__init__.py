"""From any URL to its feeds: the search's stages, its shared fetches, and the sites that it fills."""
