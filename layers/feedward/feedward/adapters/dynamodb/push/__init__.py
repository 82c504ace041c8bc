"""Subscriptions to hubs, stored with their feeds, and the standings of hubs in StateTable."""
