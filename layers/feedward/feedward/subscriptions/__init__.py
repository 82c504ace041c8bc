"""Decisions about subscriptions of tenants: states, labels and reasons. Pure."""
