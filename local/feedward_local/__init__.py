"""feedward on one machine: the whole stack without AWS, and the command line."""
