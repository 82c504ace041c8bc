"""Subscriptions to hubs beside their feeds, and the standings of hubs in StateTable."""
