"""Exports: a small one is the answer, a large one is written into a bucket by a job."""
