"""How the fetch introduces itself: its two User-Agents and what it would like to get (security T14; spec D4)."""

from __future__ import annotations

from feedward import __version__

ACCEPT = (
    "application/atom+xml, application/rss+xml, application/rdf+xml, application/feed+json, "
    "application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5"
)


def user_agent(contact_url: str = "") -> str:
    """Who we are, with a URL at which a publisher can reach us (T14)."""
    return f"feedward/{__version__} (+{contact_url})" if contact_url else f"feedward/{__version__}"


def browser_user_agent(contact_url: str = "") -> str:
    """The browser-compatible form (spec D4): for sites that refuse what does not begin like a browser's."""
    contact = f"; +{contact_url}" if contact_url else ""
    return f"Mozilla/5.0 (compatible; feedward/{__version__}{contact})"
