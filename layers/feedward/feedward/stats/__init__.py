"""Statistics for the operators of a deployment: checks by hour, failed pages by reason, queues. Pure."""
