"""Turns the events of a document into a draft: the first value of each field of the feed and of its items.

The rules of a format (rss.py, atom.py) give an element's action inside the feed and inside an item: a `Text` field to
read, a `Marked` one, `Descend` (its children count as the parent's) or `Entry`. Other elements are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from feedward.feeds.limits import MAX_ATTRIBUTES, MAX_CATEGORIES, MAX_DEPTH, MAX_ELEMENTS, MAX_ITEMS, MAX_UNUSABLE
from feedward.feeds.links import resolve
from feedward.feeds.namespaces import ATOM, Names, declared, vocabulary
from feedward.feeds.sax import DocumentRefused
from feedward.feeds.text import BREAKS
from feedward.model import RejectionReason
from feedward.reading_budget import ReadingBudget

STAND_IN = "~"
_SILENT = frozenset(("script", "style"))

Values = dict[str, Any]
Base = str | None
Clean = Callable[[str, Mapping[str, str], Base], Any]
Store = Callable[[Values, Mapping[str, str], Base], None]


class Text(NamedTuple):
    """Store the text of the element, without markup, in `slot` after `clean(text, attributes, base)`.

    `several`: the slot is a list of the first values.
    """

    slot: str
    clean: Clean
    several: bool = False


class Marked(NamedTuple):
    """Pass the element's attributes to `store(values, attributes, base)`, then read its text if `text` is set.

    If the element has the attribute `unless`, its text is skipped.
    """

    store: Store
    text: Text | None = None
    unless: str = ""


class Descend(NamedTuple):
    """The element is a wrapper: its children are read by the same rules; `store` as for `Entry`."""

    store: Store | None = None


class Entry(NamedTuple):
    """The element is an item; `store(values, attributes, base)` may read values from its start tag."""

    store: Store | None = None


Action = Text | Marked | Descend | Entry
Rules = Mapping[str, Action]


class FormatRules(NamedTuple):
    """The rules of one format: its vocabulary, the rules inside the feed and inside an item."""

    vocabulary: str
    feed: Rules
    item: Rules
    root: Store | None = None


@dataclass(slots=True)
class Draft:
    """The values read so far. `opened`: the feed element itself (channel, feed) or an item was found.

    `redeclared`: values may be in slots that end with `STAND_IN`, see `_redeclared`. `bad_link`: a link had no URL.
    """

    feed: Values = field(default_factory=dict)
    items: list[Values] = field(default_factory=list)
    opened: bool = False
    closed: bool = False
    bad_link: bool = False
    undeclared_prefix: bool = False
    redeclared: bool = False
    too_many_items: bool = False


class _Scope:
    """The namespaces and base inside an element, with the cached actions of names written there."""

    __slots__ = ("base", "depth", "feed", "item", "names")

    def __init__(self, depth: int, names: Names, base: str | None) -> None:
        self.depth = depth
        self.names = names
        self.base = base
        self.feed: dict[str, Action | None] = {}
        self.item: dict[str, Action | None] = {}


class DraftHandler:
    """Handler of the event reader (sax.Handler) for one document."""

    parser: Any = None

    def __init__(self, rules: FormatRules, url: str | None, budget: ReadingBudget) -> None:
        self._budget = budget
        self.draft = Draft()
        self._rules = rules
        self._depth = 0
        self._left = MAX_ELEMENTS + 1
        self._unusable = 0
        self._busy = 0  # depth inside the element that is read or skipped with its content
        self._silent = 0  # depth inside an element of the field whose text is skipped
        self._field: Text | None = None
        self._attributes: Mapping[str, str] = {}
        self._parts: list[str] = []
        self._values = self.draft.feed
        self._in_item = 0  # depth of the open item
        self._scope = _Scope(0, Names("", {}, own=rules.vocabulary), None)
        self._scopes = [self._scope]
        self._known: dict[str, Action | None] = {}
        self._url = url

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Process a start tag, its name as written."""
        self._depth = depth = self._depth + 1
        self._left = left = self._left - 1
        if depth > MAX_DEPTH or not left & 1023 or (attributes and len(attributes) > MAX_ATTRIBUTES):
            self._check_limits(attributes)
        if self._busy:
            if self._field is not None:
                self._pass_markup(name.rpartition(":")[2].lower())
            return
        if depth == 1:
            self._open_root(name, attributes)
            return
        if attributes:
            self._open_scope(attributes)
        try:
            action = self._known[name]
        except KeyError:
            action = self._learn(name)
        if action is None:
            self._busy = depth
        elif type(action) is Text:
            self._take(action, attributes)
        else:
            self._act(action, attributes)

    def end(self, name: str) -> None:  # noqa: ARG002
        """Process an end tag."""
        depth = self._depth
        self._depth = depth - 1
        if self._busy:
            if depth != self._busy:
                if depth == self._silent:
                    self._silent = 0
                    self.parser.CharacterDataHandler = self._parts.append
                return
            self._busy = 0
            if self._field is not None:
                self._put(self._field)
        elif depth == self._in_item:
            self._close_item()
        elif depth == 1:
            self.draft.closed = True
        if self._scope.depth == depth:
            self._close_scope()

    def _pass_markup(self, local: str) -> None:
        """Process a start tag inside the text that is read."""
        if local in BREAKS:
            self._parts.append(" ")
        elif local in _SILENT and not self._silent:
            self._silent = self._depth
            self.parser.CharacterDataHandler = None

    def _check_limits(self, attributes: Mapping[str, str]) -> None:
        """Raise DocumentRefused for an element beyond a limit, or TooCostly."""
        if self._depth > MAX_DEPTH:
            raise DocumentRefused(RejectionReason.TOO_DEEP, f"more than {MAX_DEPTH} elements inside each other")
        if not self._left:
            raise DocumentRefused(RejectionReason.TOO_COMPLEX, f"more than {MAX_ELEMENTS} elements")
        if len(attributes) > MAX_ATTRIBUTES:
            raise DocumentRefused(RejectionReason.TOO_COMPLEX, f"more than {MAX_ATTRIBUTES} attributes on one element")
        self._budget.check_time()

    def _open_root(self, name: str, attributes: Mapping[str, str]) -> None:
        scope = _Scope(1, Names(name, declared(attributes), own=self._rules.vocabulary), self._base(attributes))
        self._scopes, self._scope = [scope], scope
        self._known = scope.feed
        self.draft.opened = vocabulary(scope.names.namespace(name)) == self._rules.vocabulary == ATOM
        if self._rules.root:
            self._rules.root(self._values, attributes, scope.base)

    def _open_scope(self, attributes: Mapping[str, str]) -> None:
        declarations = declared(attributes)
        if not declarations and "xml:base" not in attributes:
            return
        outer = self._scope
        names = outer.names.within(declarations) if declarations else outer.names
        self._scopes.append(_Scope(self._depth, names, self._base(attributes)))
        self._look_up()

    def _close_scope(self) -> None:
        if len(self._scopes) > 1:
            self._scopes.pop()
            self._look_up()

    def _look_up(self) -> None:
        self._scope = scope = self._scopes[-1]
        self._known = scope.item if self._in_item else scope.feed

    def _base(self, attributes: Mapping[str, str]) -> str | None:
        """Return the base inside an element: its xml:base, resolved against the outer base or the document's URL."""
        outer = self._scope.base
        written = attributes.get("xml:base", "").strip()
        if not written:
            return outer
        return resolve(written, outer or self._url or "")

    def _learn(self, name: str) -> Action | None:
        """Find the action for a name that is new in this scope, once."""
        names = self._scope.names
        if names.is_undeclared(name):
            self.draft.undeclared_prefix = True
        resolved = names.resolve(name)
        rules = self._rules.item if self._in_item else self._rules.feed
        action = rules.get(resolved) if resolved else None
        if action is None and names.is_redeclared(name):
            action = self._redeclared(rules.get(name.rpartition(":")[2].lower()))
        self._known[name] = action
        return action

    def _redeclared(self, own: Action | None) -> Action | None:
        """Return the substitute action of an element with an own name in another namespace."""
        self.draft.redeclared = True
        if isinstance(own, Text):
            return own._replace(slot=own.slot + STAND_IN)
        if isinstance(own, Marked) and own.text:
            return own._replace(text=own.text._replace(slot=own.text.slot + STAND_IN))
        return own

    def _act(self, action: Action, attributes: Mapping[str, str]) -> None:
        if isinstance(action, Marked):
            action.store(self._values, attributes, self._scope.base)
            self._busy = self._depth
            if action.text and action.unless not in attributes:
                self._take(action.text, attributes)
        elif isinstance(action, Entry):
            self._open_item(action, attributes)
        elif isinstance(action, Descend):
            self.draft.opened = True
            if action.store and attributes:
                action.store(self._values, attributes, self._scope.base)

    def _take(self, taken: Text, attributes: Mapping[str, str]) -> None:
        self._busy = self._depth
        known = self._values.get(taken.slot)
        if known is not None and not (taken.several and len(known) < MAX_CATEGORIES):
            return
        if self._unusable < MAX_UNUSABLE:
            self._field, self._attributes, self._parts = taken, attributes, []
            self.parser.CharacterDataHandler = self._parts.append

    def _put(self, taken: Text) -> None:
        self.parser.CharacterDataHandler = self._field = None
        value = taken.clean("".join(self._parts), self._attributes, self._scope.base)
        if value is None:
            self._unusable += 1
            self.draft.bad_link = self.draft.bad_link or taken.slot.startswith("link")
        elif taken.several:
            self._values.setdefault(taken.slot, []).append(value)
        else:
            self._values[taken.slot] = value

    def _open_item(self, action: Entry, attributes: Mapping[str, str]) -> None:
        self.draft.opened = True
        if len(self.draft.items) >= MAX_ITEMS:
            self.draft.too_many_items = True
            self._busy = self._depth
            return
        self._in_item = self._depth
        self._values = {}
        self._known = self._scope.item
        if action.store and attributes:
            action.store(self._values, attributes, self._scope.base)

    def _close_item(self) -> None:
        self.draft.items.append(self._values)
        self._in_item = 0
        self._values = self.draft.feed
        self._known = self._scope.feed
