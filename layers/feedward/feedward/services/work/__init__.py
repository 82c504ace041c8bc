"""One engine for batches of work grouped by host: checks and pages plug in their tasks."""
