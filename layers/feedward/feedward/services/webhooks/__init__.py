"""Webhooks: from an event to one delivery for each receiver, and from a delivery to its answer."""
