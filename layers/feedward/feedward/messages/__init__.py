"""Decodes records of queues and schedules, and makes partial batch responses."""
