"""The search index in an OpenSearch cluster, for directories that outgrow a file (rule Q21)."""
