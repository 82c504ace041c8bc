"""Scheduled passes: the sweep of due entries, the repair of overdue ones, and reconciliation."""
