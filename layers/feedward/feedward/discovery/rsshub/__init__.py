"""Routes of RSSHub by host: data, asked last."""
