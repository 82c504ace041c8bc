"""Quotas of tenants: what is limited, how much, in which window, and when it opens. Pure."""
