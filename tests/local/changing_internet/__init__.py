"""Tests that share one stack, whose internet they change."""
