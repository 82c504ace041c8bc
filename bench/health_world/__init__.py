"""A made-up world of feeds over a virtual year: what they publish, how they fail, and who polls them how."""
