"""The directory of feeds for the API: reading feeds, and actions on them."""
