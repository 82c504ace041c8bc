"""StateTable: temporary state of the workers, such as cursors, cooldowns, outages and robots.txt."""
