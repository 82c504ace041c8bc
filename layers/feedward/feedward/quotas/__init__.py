"""Quotas of tenants: the limited work, the limits, their windows, and when they reset. Pure."""
