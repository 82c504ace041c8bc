"""Push (WebSub): subscriptions to hubs, their callback, and the trust in their pushes. Pure."""
