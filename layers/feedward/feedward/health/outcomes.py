"""The consequences of each outcome of a fetch for the feed: a table with one row per outcome (rule H1). Pure.

All code reads this table, so the meaning of an outcome is defined once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from feedward.model import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """The consequences of an outcome.

    - counts_as_failure: increments the counter of consecutive failures
    - is_success: makes the feed healthy and resets the counter; an outcome that is neither keeps the counter
    - stores_validators: its validators replace the stored ones (rule H7: a complete 200 only)
    - transient: a retry may succeed without a change on the server
    - network: the connection failed or broke, so our own network may be the cause (rule H5)
    - says: the text for people
    """

    says: str
    counts_as_failure: bool = True
    is_success: bool = False
    stores_validators: bool = False
    transient: bool = False
    network: bool = False


def _success(says: str, *, has_document: bool) -> Consequence:
    return Consequence(
        says=says,
        counts_as_failure=False,
        is_success=True,
        stores_validators=has_document,
    )


def _lasting(says: str) -> Consequence:
    return Consequence(says=says)


def _passing(says: str) -> Consequence:
    return Consequence(says=says, transient=True)


def _network(says: str, *, transient: bool = True) -> Consequence:
    return Consequence(says=says, transient=transient, network=True)


OUTCOMES: Mapping[Outcome, Consequence] = MappingProxyType(
    {
        Outcome.OK: _success("the feed was fetched and read", has_document=True),
        Outcome.NOT_MODIFIED: _success("the feed has not changed", has_document=False),
        Outcome.UNEXPECTED_304: _passing("a 304 although the request had no validators"),
        Outcome.EMPTY_BODY: _passing("the server sent nothing"),
        Outcome.NOT_FEED: _lasting("the document there is no feed"),
        Outcome.GENERATOR_ERROR: _passing("the feed's generator reports an error of its own"),
        Outcome.UNAUTHORIZED: _lasting("the server asks for a login"),
        Outcome.FORBIDDEN: _lasting("the server refuses access"),
        Outcome.CHALLENGE: _passing("a bot check stands before the feed"),
        Outcome.NOT_FOUND: _lasting("nothing is there"),
        Outcome.GONE: _lasting("the server says that the feed is gone for good"),
        Outcome.LEGAL: _lasting("the feed is withheld for legal reasons"),
        Outcome.RATE_LIMITED: Consequence(
            says="the server asks to come less often", counts_as_failure=False, transient=True
        ),
        Outcome.TIMEOUT_STATUS: _passing("the server gave up waiting for the request"),
        Outcome.CLIENT_ERROR: _lasting("the server refuses the request"),
        Outcome.SERVER_ERROR: _passing("the server failed"),
        Outcome.UNEXPECTED_STATUS: _lasting("the server answered with a status that is no answer to this request"),
        Outcome.BAD_REDIRECT: _lasting("the server redirects to nowhere usable"),
        Outcome.REDIRECT_LOOP: _lasting("the redirects lead back to where they began"),
        Outcome.TOO_MANY_REDIRECTS: _lasting("there are more redirects than are followed"),
        Outcome.BLOCKED: _lasting("the address is one that may not be fetched"),
        Outcome.BAD_URL: _lasting("the URL cannot be used"),
        Outcome.DNS_ERROR: _network("the host's name has no address, or could not be looked up"),
        Outcome.CONNECT_ERROR: _network("the server refuses connections or cannot be reached"),
        Outcome.TIMEOUT: _network("the server did not answer in time"),
        Outcome.CONNECTION_RESET: _network("the connection broke before there was an answer"),
        Outcome.TLS_ERROR: _network("no trusted connection: the certificate is wrong or TLS failed", transient=False),
        Outcome.TRUNCATED: _network("the document was cut off on the way"),
        Outcome.BAD_ENCODING: _lasting("the document is compressed in a way that cannot be undone"),
        Outcome.TOO_LARGE: _lasting("the document is larger than any feed should be"),
        Outcome.BAD_RESPONSE: _lasting("the answer is no valid HTTP"),
    }
)
