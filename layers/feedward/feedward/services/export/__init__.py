"""Exports: a small one is returned directly, a large one is written into a bucket by a job."""
