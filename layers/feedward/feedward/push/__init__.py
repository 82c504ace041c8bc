"""Push (WebSub): subscriptions to hubs, their callback, and how far their pushes are trusted. Pure."""
