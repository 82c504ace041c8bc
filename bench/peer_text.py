"""A process that reads the text of pages with other libraries. Runs in the peers' environment.

A line of JSON [name, page] on standard input is answered with the processor seconds and the number of words.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable


def with_inscriptis(html: str) -> str:
    """inscriptis lays the text out as a page does."""
    from inscriptis import get_text

    return str(get_text(html))


def with_beautifulsoup(html: str) -> str:
    """beautifulsoup4 with the parser of the standard library; it ignores scripts and styles."""
    from bs4 import BeautifulSoup

    return str(BeautifulSoup(html, "html.parser").get_text(" ", strip=True))


def with_trafilatura(html: str) -> str:
    """trafilatura extracts the article from the page."""
    from trafilatura import extract

    return extract(html) or ""


READERS: dict[str, Callable[[str], str]] = {
    "inscriptis": with_inscriptis,
    "beautifulsoup4": with_beautifulsoup,
    "trafilatura": with_trafilatura,
}


def main() -> None:
    """Answer each line of standard input until it ends."""
    for line in sys.stdin:
        name, html = json.loads(line)
        start = time.process_time()
        text = READERS[name](html)
        spent = time.process_time() - start
        print(json.dumps({"name": name, "seconds": spent, "words": len(text.split())}), flush=True)


if __name__ == "__main__":
    main()
