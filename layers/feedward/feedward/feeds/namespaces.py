"""Resolves element names to vocabularies, by the namespace declared for a prefix, else by the usual prefix.

Names are returned in lower case: `title` (the document's own vocabulary), `atom:link`, `dc:date`; None if foreign.
"""

from __future__ import annotations

from collections.abc import Mapping

RSS = "rss"
ATOM = "atom"
FOREIGN = "foreign"

_VOCABULARIES = {
    "www.w3.org/2005/atom": ATOM,
    "purl.org/atom/ns": ATOM,
    "purl.org/net/atom": ATOM,
    "purl.org/pie": ATOM,
    "purl.org/echo": ATOM,
    "example.com/newformat": ATOM,
    "example.com/necho": ATOM,
    "uri/of/echo/namespace": ATOM,
    "purl.org/rss/1.0": RSS,
    "purl.org/net/rss1.1": RSS,
    "my.netscape.com/rdf/simple/0.9": RSS,
    "channel.netscape.com/rdf/simple/0.9": RSS,
    "my.netscape.com/publish/formats/rss-0.91.dtd": RSS,
    "backend.userland.com/rss": RSS,
    "backend.userland.com/rss2": RSS,
    "backend.userland.com/rss091": RSS,
    "backend.userland.com/rss092": RSS,
    "backend.userland.com/rss093": RSS,
    "blogs.law.harvard.edu/tech/rss": RSS,
    "cyber.law.harvard.edu/rss": RSS,
    "www.rssboard.org/rss-specification": RSS,
    "purl.org/dc/elements/1.0": "dc",
    "purl.org/dc/elements/1.1": "dc",
    "purl.org/dc/terms": "dcterms",
    "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "www.itunes.com/dtd/podcast-1.0.dtd": "itunes",
    "example.com/dtds/podcast-1.0.dtd": "itunes",
    "purl.org/rss/1.0/modules/syndication": "sy",
    "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
    "purl.org/rss/1.0/modules/prism": "prism",
    "search.yahoo.com/mrss": FOREIGN,
    "www.w3.org/1999/xhtml": FOREIGN,
    "purl.org/rss/1.0/modules/content": FOREIGN,
    "www.google.com/schemas/play-podcasts/1.0": FOREIGN,
    "podcastindex.org/namespace/1.0": FOREIGN,
}
_PRISM = "prismstandard.org/namespaces/"  # its versions are before or after the name of the module
_USUAL_PREFIXES = {
    "atom": ATOM,
    "atom10": ATOM,
    "a10": ATOM,
    "rss": RSS,
    "dc": "dc",
    "dcterms": "dcterms",
    "itunes": "itunes",
    "sy": "sy",
    "rdf": "rdf",
    "prism": "prism",
}


def vocabulary(uri: str) -> str | None:
    """Return the vocabulary of a namespace in any spelling of scheme, case and last slash; None if unknown."""
    bare = uri.strip().lower().rstrip("/#").removeprefix("http://").removeprefix("https://")
    return "prism" if bare.startswith(_PRISM) else _VOCABULARIES.get(bare)


def declared(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return prefix -> namespace of an element's `xmlns` attributes; the default namespace has the prefix ""."""
    found = {}
    for name in attributes:
        if name.startswith("xmlns") and name[5:6] in ("", ":"):
            found[name[6:]] = attributes[name]
    return found


class Names:
    """Resolves element names within one scope of namespace declarations. `own` is the document's vocabulary."""

    def __init__(self, root: str, declarations: Mapping[str, str], *, own: str) -> None:
        self._own = own
        prefix, _, local = root.rpartition(":")
        self._root_prefix = "" if local.lower() == "rdf" else prefix  # the prefix of rdf:RDF is not the feed's
        self._roots = dict(declarations)
        self._declarations = self._roots

    def within(self, declarations: Mapping[str, str]) -> Names:
        """Return the scope inside an element with further declarations."""
        inner = Names("", {}, own=self._own)
        inner._root_prefix, inner._roots = self._root_prefix, self._roots
        inner._declarations = self._declarations | dict(declarations)
        return inner

    def namespace(self, name: str) -> str:
        """Return the namespace declared for the prefix of `name`; "" if there is none."""
        return self._declarations.get(name.rpartition(":")[0], "")

    def is_undeclared(self, name: str) -> bool:
        """Return whether no namespace was declared for the prefix."""
        prefix = name.rpartition(":")[0]
        return bool(prefix) and prefix != "xml" and prefix not in self._declarations

    def is_redeclared(self, name: str) -> bool:
        """Return whether the document's own prefix, or no prefix, has another namespace here than at the root."""
        prefix = name.rpartition(":")[0]
        return prefix in ("", self._root_prefix) and self._vocabulary(prefix) != self._own

    def resolve(self, name: str) -> str | None:
        """Return the rules' name for `name` as written, or None for a foreign name."""
        prefix, _, local = name.rpartition(":")
        found = self._vocabulary(prefix)
        if found == self._own:
            return local.lower()
        return None if found == FOREIGN else f"{found}:{local.lower()}"

    def _vocabulary(self, prefix: str) -> str:
        """Return the vocabulary. No prefix, or the root's, with the root's namespace is the document's own."""
        uri = self._declarations.get(prefix)
        if prefix in ("", self._root_prefix) and (not uri or uri == self._roots.get(prefix)):
            return self._own
        if uri is None:
            return _USUAL_PREFIXES.get(prefix.lower(), FOREIGN)
        return vocabulary(uri) or FOREIGN
