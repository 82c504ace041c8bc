"""Push (WebSub): the callback, subscribing and renewing, and what checks tell of hubs."""
