"""A simulated world of feeds over a virtual year: their publications and failures, and the ways of polling them."""
