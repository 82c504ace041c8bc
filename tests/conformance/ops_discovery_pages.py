"""Ops of discovery that read a page: page_links."""

from __future__ import annotations

from feedward.discovery.page import read_page

__all__ = ["page_links"]


def page_links(url: str, html: str, headers: dict[str, str]) -> list[str]:
    page = read_page(html.encode(), url=url, headers=headers)
    return [lead.url for lead in (*page.links, *page.anchors)]
