"""Builds the template's resources and deploys them into MiniStack."""
