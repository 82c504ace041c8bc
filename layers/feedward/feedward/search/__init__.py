"""Search of the directory: the analyser, documents, queries and ranking. Pure; adapters/search has the indexes."""
