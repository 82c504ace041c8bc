"""What is counted for people who look after a deployment: checks by hour, failed pages by reason, queues. Pure."""
