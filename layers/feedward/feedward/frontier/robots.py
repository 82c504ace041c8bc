"""The rules of a robots.txt (RFC 9309), parsed by the library protego, which is loaded on first use. Pure.

A host without a robots.txt (4xx) allows everything. A host that fails or cannot be reached allows nothing for now: the
page's fetch then fails with the outcome of the robots.txt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from feedward.model import FetchResult, Outcome

if TYPE_CHECKING:  # loaded only if there is a robots.txt to parse
    from protego import Protego

KEPT_S: Final = 24 * 3600
BYTES_AT_MOST: Final = 500 * 1024
"""The size limit of a robots.txt, which is the minimum of RFC 9309."""
REDIRECTS_AT_MOST: Final = 5
LONGEST_DELAY_S: Final = 900.0
"""A longer crawl delay counts as this, since no message can wait longer."""

# A group names a crawler's product; a version after it is ignored. The library also matches a prefix of the product
# (`feed` for feedward), so all other names are replaced by one that matches no crawler.
_AGENT: Final = re.compile(
    r"^[^\S\r\n]*user[- ]?agent[^\S\r\n]*(?::|[^\S\r\n])[^\S\r\n]*([^\r\n#]*)(?:#[^\r\n]*)?$",
    re.IGNORECASE | re.MULTILINE,
)
_PRODUCT: Final = re.compile(r"[a-z0-9_.-]*", re.IGNORECASE)
_SOMEBODY_ELSE: Final = "somebody-else"
_COME_LATER: Final = 429
# Outcomes of a complete 2xx response: it was read, or it has no readable content. With any other, the transfer failed.
_ANSWERS: Final = frozenset({Outcome.OK, Outcome.EMPTY_BODY, Outcome.BAD_ENCODING})


@dataclass(frozen=True, kw_only=True)
class Robots:
    """The rules of one origin for one product. `text` is the result of `read_robots`."""

    text: str
    product: str

    def allowed(self, url: str) -> bool:
        """Return whether the URL may be fetched. /robots.txt itself is always allowed."""
        return not self.text or self._rules.can_fetch(url, self.product)

    @property
    def crawl_delay_s(self) -> float:
        """The host's crawl delay in seconds, at most 900; 0 if it has none."""
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
    """Decode the first 500 KiB of a robots.txt. Invalid UTF-8 is replaced, and any document is accepted.

    Comments and blank lines are removed to save space.
    """
    text = body[:BYTES_AT_MOST].decode("utf-8", "replace").removeprefix("\ufeff")
    lines = (line.partition("#")[0].strip() for line in text.replace("\0", "").splitlines())
    return "\n".join(filter(None, lines))


def unreachable(answer: FetchResult) -> Outcome | None:
    """Return the outcome with which the origin's pages fail after this fetch of its robots.txt, or None.

    None means that the robots.txt is known: the body of a 2xx, or empty rules, which allow everything, after a 4xx or
    a broken redirect (RFC 9309, 2.3.1). A 429 applies to every request, so the page is not fetched either.
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
