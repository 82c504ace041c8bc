"""Topics of feeds: the closed list, the reading of names, and the states of a feed's topics. Pure."""
