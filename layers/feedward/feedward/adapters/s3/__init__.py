"""S3: the bucket of bodies and files. The search index has its own bucket (`adapters/search`)."""
