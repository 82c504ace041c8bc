"""Events of the bus: their envelope and what a check publishes. Pure."""
