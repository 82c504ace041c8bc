"""Subscriptions: what a tenant follows, and what becomes of it. Pure."""
