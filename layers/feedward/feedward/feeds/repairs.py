"""The names of repairs that a document needed before it could be read (`Feed.repairs`)."""

from __future__ import annotations

from enum import StrEnum


class Repair(StrEnum):
    """One kind of repair. The document is still a feed; the repair is reported for its publisher."""

    ENCODING = "encoding"
    BAD_BYTES = "bad_bytes"
    BYTE_ORDER_MARK = "byte_order_mark"
    LEADING_WHITESPACE = "leading_whitespace"
    LEADING_JUNK = "leading_junk"
    XML_DECLARATION = "xml_declaration"
    TRAILING_JUNK = "trailing_junk"
    UNDECLARED_PREFIX = "undeclared_prefix"
    INVALID_CHARACTERS = "invalid_characters"
    REFERENCES = "references"
    STRAY_LESS_THAN = "stray_less_than"
    ATTRIBUTES = "attributes"
    END_TAGS = "end_tags"
    CDATA_END = "cdata_end"
    COMMENTS = "comments"
    DECLARATIONS = "declarations"
    STRAY_COMMA = "stray_comma"
    TOO_MANY_ITEMS = "too_many_items"
