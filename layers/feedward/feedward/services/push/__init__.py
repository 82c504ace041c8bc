"""Push (WebSub): the callback, subscribing and renewing, and the effects of checks on hubs."""
