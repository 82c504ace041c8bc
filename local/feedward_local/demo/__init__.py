"""A small made-up internet on loopback, for machines without a network and for tests."""
