"""What a robots.txt allows us (RFC 9309), by the library protego. Pure; the library is loaded on first use.

A host that has none, or says so with a 4xx, allows everything. One that fails, or cannot be reached, allows nothing
for now: then the page's fetch fails with what the robots.txt ended in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from feedward.model import FetchResult, Outcome

if TYPE_CHECKING:  # only who has a robots.txt to read loads it
    from protego import Protego

KEPT_S: Final = 24 * 3600
BYTES_AT_MOST: Final = 500 * 1024
"""What is read of a robots.txt at most; RFC 9309 asks for at least as much."""
REDIRECTS_AT_MOST: Final = 5
LONGEST_DELAY_S: Final = 900.0
"""A longer Crawl-delay counts as this: no message can wait longer."""

# A crawler is addressed by its product alone, a version behind it says nothing. The library would take the beginning
# of a name for the name (`feed` for feedward): so all other names are made one that nobody has.
_AGENT: Final = re.compile(
    r"^[^\S\r\n]*user[- ]?agent[^\S\r\n]*(?::|[^\S\r\n])[^\S\r\n]*([^\r\n#]*)(?:#[^\r\n]*)?$",
    re.IGNORECASE | re.MULTILINE,
)
_PRODUCT: Final = re.compile(r"[a-z0-9_.-]*", re.IGNORECASE)
_SOMEBODY_ELSE: Final = "somebody-else"
_COME_LATER: Final = 429
# Of a 2xx: it came, or there is nothing in it that could be read. Anything else broke on the way.
_ANSWERS: Final = frozenset({Outcome.OK, Outcome.EMPTY_BODY, Outcome.BAD_ENCODING})


@dataclass(frozen=True, kw_only=True)
class Robots:
    """The rules of one origin for one product. `text` as `read_robots` gives it."""

    text: str
    product: str

    def allowed(self, url: str) -> bool:
        """Tell whether the URL may be fetched. /robots.txt itself always may."""
        return not self.text or self._rules.can_fetch(url, self.product)

    @property
    def crawl_delay_s(self) -> float:
        """Seconds that the host wants between two requests, at most 900; 0 if it does not say so."""
        asked = self._rules.crawl_delay(self.product) if self.text else None
        return min(asked or 0.0, LONGEST_DELAY_S)

    @cached_property
    def _rules(self) -> Protego:
        from protego import Protego  # noqa: PLC0415

        return Protego.parse(_AGENT.sub(self._readdressed, self.text))

    def _readdressed(self, line: re.Match[str]) -> str:
        named = line[1].strip()
        product = _PRODUCT.match(named)
        is_ours = product is not None and product[0].lower() == self.product.lower()
        return f"User-agent: {self.product if is_ours else '*' if named == '*' else _SOMEBODY_ELSE}"


def read_robots(body: bytes) -> str:
    """Decode the first 500 KiB of a robots.txt; what is no UTF-8, and any other document, is read as far as it goes.

    Comments and blank lines are left out, so that there is less to keep.
    """
    text = body[:BYTES_AT_MOST].decode("utf-8", "replace").removeprefix("\ufeff")
    lines = (line.partition("#")[0].strip() for line in text.replace("\0", "").splitlines())
    return "\n".join(filter(None, lines))


def unreachable(answer: FetchResult) -> Outcome | None:
    """Return what the pages of the origin fail with if this is how the fetch of its robots.txt ended; None: read it.

    Read it means: the body of a 2xx, and nothing of all else, which allows everything (RFC 9309, 2.3.1): a 4xx, and
    redirects that lead nowhere. A 429 is an answer to any request, so that the page is not asked for either.
    """
    status, outcome = answer.status, answer.outcome
    if status == _COME_LATER:
        return Outcome.RATE_LIMITED
    if answer.hops and outcome in (Outcome.BLOCKED, Outcome.BAD_URL):
        return None
    if outcome in (Outcome.BAD_REDIRECT, Outcome.REDIRECT_LOOP, Outcome.TOO_MANY_REDIRECTS):
        return None
    if status is None or status >= 500:
        return outcome
    return outcome if status // 100 == 2 and outcome not in _ANSWERS else None
