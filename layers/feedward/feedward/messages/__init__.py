"""Records of queues and schedules in, partial batch responses out."""
