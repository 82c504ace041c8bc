"""Tests that share one stack, whose internet they do not change."""
