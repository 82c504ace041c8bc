"""Events of the bus: their envelope, and the events of a check. Pure."""
