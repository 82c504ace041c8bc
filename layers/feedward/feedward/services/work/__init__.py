"""One engine for batches of work at hosts: checks and pages plug in their tasks."""
