"""Reads the stats of a deployment."""
