"""Subscriptions of tenants: from pending to ready or failed, with their events."""
