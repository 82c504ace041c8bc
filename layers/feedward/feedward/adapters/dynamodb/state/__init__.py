"""StateTable: what the workers remember for a while, such as cursors, cooldowns, outages and robots.txt."""
