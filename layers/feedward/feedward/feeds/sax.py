"""The event reader: defusedxml's expat reader, bound straight to our handler. It builds no tree.

An element costs one dictionary look-up. Text is read only if a rule needs it, so article bodies are skipped in C.
Entity declarations and external references that reach this reader raise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol
from xml.parsers.expat import errors
from xml.sax import SAXParseException

from defusedxml import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from feedward.model import Rejection, RejectionReason

_ENDS_EARLY = frozenset(
    errors.codes[message]
    for message in (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_PARTIAL_CHAR,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)


class DocumentRefused(Exception):
    """The document is not read further; `rejection` says why."""

    def __init__(self, reason: RejectionReason, detail: str) -> None:
        super().__init__(detail)
        self.rejection = Rejection(reason=reason, detail=detail)


class NotWellFormed(Exception):
    """The XML has an error; `at_end` is true if the only error is its early end."""

    def __init__(self, detail: str, *, at_end: bool) -> None:
        super().__init__(detail)
        self.at_end = at_end


class Handler(Protocol):
    """The callbacks of the reader. While it reads, `parser.CharacterDataHandler` gets the text; None skips it."""

    parser: Any

    def start(self, name: str, attributes: Mapping[str, str]) -> None: ...

    def end(self, name: str) -> None: ...


class _Reader(DefusedExpatParser):
    """Calls the handler directly, without SAX; the guards of defusedxml are unchanged."""

    def __init__(self, handler: Handler) -> None:
        super().__init__(forbid_dtd=False, forbid_entities=True, forbid_external=True)
        self._handler = handler

    def reset(self) -> None:
        super().reset()
        expat: Any = self._parser
        expat.buffer_text = True
        expat.StartElementHandler = self._handler.start
        expat.EndElementHandler = self._handler.end
        expat.CharacterDataHandler = None
        expat.ProcessingInstructionHandler = None
        self._handler.parser = expat

    def release(self) -> None:
        """Break the reference cycle of parser and handler, to free memory immediately."""
        self._parser = self._handler.parser = None


def read(text: str, handler: Handler) -> None:
    """Feed a whole document, from its root element on, to `handler`.

    Raises NotWellFormed, or DocumentRefused from the handler and for entity declarations.
    """
    reader = _Reader(handler)
    try:
        reader.feed(text, True)
    except SAXParseException as error:
        code = getattr(error.getException(), "code", 0)
        raise NotWellFormed(error.getMessage(), at_end=code in _ENDS_EARLY) from None
    except DefusedXmlException as error:
        raise DocumentRefused(RejectionReason.ENTITY_DECLARATION, type(error).__name__) from None
    finally:
        reader.release()
