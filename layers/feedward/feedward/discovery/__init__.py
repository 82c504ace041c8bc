"""Decisions of a discovery: leads, candidates, kinds, scores and the choice. Pure."""
