"""An OpenSearch cluster in memory: the calls of the adapter, answered in the shapes of a real cluster.

It knows the queries that the adapter makes and refuses all others, so that a query is not taken for another one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from feedward.adapters.opensearch.cluster import Cluster, ClusterAnswer
from feedward.errors import StoreUnavailable
from tests.fakes.feed_store import PATIENT

Source = Mapping[str, Any]


class FakeCluster:
    """Stands in for a transport. `away`: calls without an answer. `busy`: items of bulks that get 429.

    `times`: the seconds that each call has.
    """

    def __init__(self) -> None:
        self.indexes: dict[str, dict[str, Any]] = {}
        self.away = self.busy = 0
        self.refuses: set[str] = set()
        self.bulks: list[list[Any]] = []
        self.times: list[float] = []
        self.cluster = Cluster(self, backoff=PATIENT)

    def __call__(self, method: str, path: str, body: str | None, within_s: float) -> ClusterAnswer:
        self.times.append(within_s)
        if self.away:
            self.away -= 1
            raise StoreUnavailable("away")
        if path == "/_bulk":
            return self._bulk([json.loads(line) for line in (body or "").splitlines()])
        asked = json.loads(body) if body else {}
        if path == "/_aliases":
            return self._aliases(asked["actions"])
        if path.startswith("/_alias/"):
            return self._found_aliases(path.removeprefix("/_alias/"))
        name, _, operation = path.strip("/").partition("/")
        return self._of_index(method, name, operation, asked)

    # --- indexes --------------------------------------------------------------------------------------

    def _of_index(self, method: str, name: str, operation: str, asked: Any) -> ClusterAnswer:
        if method == "PUT" and not operation:
            assert asked["mappings"]["dynamic"] == "strict"
            self.indexes[name] = {"documents": {}, **asked}
            return ClusterAnswer(200, {"acknowledged": True})
        found = [real for real in self.indexes if real == name or name in self.indexes[real]["aliases"]]
        if not found:
            return ClusterAnswer(404, {"error": {"reason": f"no such index [{name}]"}})
        (real,) = found
        index = self.indexes[real]
        match (method, operation):
            case "GET", "_mapping":
                return ClusterAnswer(200, {real: {"mappings": index["mappings"]}})
            case "PUT", "_mapping":
                index["mappings"] = {**index["mappings"], **asked}
                return ClusterAnswer(200, {"acknowledged": True})
            case "POST", "_refresh":
                return ClusterAnswer(200, {})
            case "POST", "_count":
                return ClusterAnswer(200, {"count": len(Searched(index).ids(asked["query"]))})
            case "POST", "_search":
                return ClusterAnswer(200, _search(index, asked))
        raise AssertionError(f"no test expects {method} {operation}")

    def _aliases(self, actions: list[Any]) -> ClusterAnswer:
        for action in actions:
            ((verb, told),) = action.items()
            if verb == "remove_index":
                del self.indexes[told["index"]]
            else:
                self.indexes[told["index"]]["aliases"][told["alias"]] = {}
        return ClusterAnswer(200, {"acknowledged": True})

    def _found_aliases(self, alias: str) -> ClusterAnswer:
        all_aliases = {name: index["aliases"] for name, index in self.indexes.items()}
        found = {name: {"aliases": aliases} for name, aliases in all_aliases.items() if alias in aliases}
        return ClusterAnswer(200, found) if found else ClusterAnswer(404, {"error": f"alias [{alias}] missing"})

    # --- writes ---------------------------------------------------------------------------------------

    def _bulk(self, lines: list[Any]) -> ClusterAnswer:
        self.bulks.append(lines)
        items = [self._write(action["index"], source) for action, source in zip(lines[::2], lines[1::2], strict=True)]
        has_errors = any(item["status"] >= 300 for item in items)
        return ClusterAnswer(200, {"errors": has_errors, "items": [{"index": item} for item in items]})

    def _write(self, action: Any, source: Source) -> dict[str, Any]:
        assert action["version_type"] == "external_gte"
        index = self.indexes[action["_index"]]
        if self.busy:
            self.busy -= 1
            return {"status": 429, "error": {"type": "es_rejected_execution_exception", "reason": "rejected execution"}}
        unknown = source.keys() - index["mappings"]["properties"].keys()
        if unknown or action["_id"] in self.refuses:
            reason = {"type": "strict_dynamic_mapping_exception", "reason": f"not allowed: {unknown}"}
            return {"status": 400, "error": reason}
        known = index["documents"].get(action["_id"])
        if known and known.version > action["version"]:
            return {"status": 409, "error": {"type": "version_conflict_engine_exception", "reason": "newer"}}
        index["postings"] = {}
        index["documents"][action["_id"]] = Stored(action["version"], source)
        return {"status": 200 if known else 201, "_version": action["version"]}


class Stored:
    """A document and its tokens by field."""

    def __init__(self, version: int, source: Source) -> None:
        self.version, self.source = version, source
        self.tokens = {name: value.split() for name, value in source.items() if isinstance(value, str)}


# --- searches -----------------------------------------------------------------------------------------


def _search(index: Any, asked: Any) -> dict[str, Any]:
    if "suggest" in asked:
        return {"hits": {"hits": []}, "suggest": {"near": [_near(index, asked["suggest"]["near"])]}}
    found = Searched(index)
    if asked["size"] == 0:
        total = min(len(found.ids(asked["query"])), asked["track_total_hits"])
        return {"hits": {"total": {"value": total, "relation": "gte"}, "hits": []}}
    assert asked["sort"] == [{"_score": "desc"}, {"feed_id": "asc"}]
    ordered = sorted((-score, feed_id) for feed_id, score in found.scores(asked["query"]).items())
    if "search_after" in asked:
        score, feed_id = asked["search_after"]
        ordered = [each for each in ordered if each > (-score, feed_id)]
    hits = [
        {"_id": feed_id, "_score": -order, "_source": found.quality(feed_id), "sort": [-order, feed_id]}
        for order, feed_id in ordered[: asked["size"]]
    ]
    return {"hits": {"hits": hits}}


def _near(index: Any, asked: Any) -> dict[str, Any]:
    """All words: the adapter itself finds those that are one edit away."""
    field = asked["term"]["field"]
    words = Counter(word for stored in index["documents"].values() for word in stored.tokens.get(field, ()))
    options = [{"text": word, "score": 0.8, "freq": count} for word, count in words.items() if word != asked["text"]]
    return {"text": asked["text"], "offset": 0, "length": len(asked["text"]), "options": options}


class Searched:
    """The documents of an index, by queries."""

    def __init__(self, index: Any) -> None:
        self._documents: dict[str, Stored] = index["documents"]
        self._postings = index.setdefault("postings", {})
        if not self._postings:
            for feed_id, stored in self._documents.items():
                for field, tokens in stored.tokens.items():
                    for token in tokens:
                        self._postings.setdefault(field, {}).setdefault(token, set()).add(feed_id)

    def quality(self, feed_id: str) -> Source:
        return {"quality": self._documents[feed_id].source["quality"]}

    def scores(self, query: Any) -> dict[str, float]:
        """The scores of the documents that match the query of a tier."""
        told = query["function_score"]
        assert told["boost_mode"] == "sum"
        factor, matched = told["field_value_factor"], told["query"]["bool"]
        ((must,), (base,)) = matched["must"], matched["filter"]
        there, points = self.ids(base), dict[str, float]()
        for way in must["dis_max"]["queries"]:
            boost = float(way["constant_score"]["boost"])
            for feed_id in self.ids(way["constant_score"]["filter"]) & there:
                points[feed_id] = max(points.get(feed_id, 0.0), boost)
        missing, field = factor["missing"], factor["field"]
        return {each: score + self._documents[each].source.get(field, missing) for each, score in points.items()}

    def ids(self, query: Any) -> set[str]:
        """The documents that match a query without scores."""
        ((kind, told),) = query.items()
        if kind == "bool":
            return self._bool(told)
        ((field, asked),) = told.items()
        if isinstance(asked, bool):
            return {each for each, stored in self._documents.items() if stored.source.get(field) is asked}
        *before, last = (asked["value"] if "value" in asked else asked["query"]).split()
        ends_open = {"term": False, "match_phrase": False, "prefix": True, "match_phrase_prefix": True}[kind]
        found = self._with(field, last, ends_open=ends_open)
        for token in before:
            found = found & self._with(field, token, ends_open=False)
        return {each for each in found if self._follows(each, field, before, last, ends_open)} if before else found

    def _bool(self, told: Any) -> set[str]:
        assert not told.keys() - {"filter", "must_not", "should", "minimum_should_match"}
        found = set(self._documents)
        for each in told.get("filter", ()):
            found &= self.ids(each)
        if "should" in told:
            found &= set().union(*map(self.ids, told["should"]))
        for each in told.get("must_not", ()):
            found -= self.ids(each)
        return found

    def _with(self, field: str, token: str, *, ends_open: bool) -> set[str]:
        postings: dict[str, set[str]] = self._postings.get(field, {})
        if not ends_open:
            return set(postings.get(token, ()))
        return set().union(*(ids for known, ids in postings.items() if known.startswith(token)))

    def _follows(self, feed_id: str, field: str, before: list[str], last: str, ends_open: bool) -> bool:
        tokens, more = self._documents[feed_id].tokens[field], len(before)
        return any(
            tokens[at : at + more] == before
            and (tokens[at + more].startswith(last) if ends_open else tokens[at + more] == last)
            for at in range(len(tokens) - more)
        )
