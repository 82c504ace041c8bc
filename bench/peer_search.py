"""A process that indexes and searches with tantivy. Runs in the peers' environment.

`TOKENS QUERIES FOLDER`: tokens are lines of JSON [names, text], already analysed; queries are a JSON object of kinds
with lists of [form, words]. Prints one line of JSON. Seconds are processor time.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

PAGE = 20
FIELDS = {"names": 4.0, "text": 1.0}


def index_of(tokens: Path, folder: Path) -> Any:
    """Index the documents of a file with one thread, as in a small function."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in FIELDS:
        builder.add_text_field(name, tokenizer_name="whitespace")
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    with tokens.open() as lines:
        for line in lines:
            names, text = json.loads(line)
            writer.add_document(tantivy.Document(names=names, text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def query_of(index: Any, form: str, words: list[str]) -> Any:
    """Return a query: every word in a field, the last one as it is, as a prefix, or with one edit."""
    import tantivy

    every, any_field = tantivy.Occur.Must, tantivy.Occur.Should
    queries = []
    for name, boost in FIELDS.items():
        terms = [tantivy.Query.term_query(index.schema, name, word) for word in words]
        if form == "prefix":
            terms[-1] = tantivy.Query.regex_query(index.schema, name, f"{words[-1]}.*")
        if form == "typo":
            terms[-1] = tantivy.Query.fuzzy_term_query(index.schema, name, words[-1], distance=1)
        every_word = tantivy.Query.boolean_query([(every, term) for term in terms])
        queries.append((any_field, tantivy.Query.boost_query(every_word, boost)))
    return tantivy.Query.boolean_query(queries)


def seconds_of(index: Any, searcher: Any, form: str, words: list[str]) -> float:
    """Processor seconds of one search."""
    start = time.process_time()
    searcher.search(query_of(index, form, words), PAGE)
    return time.process_time() - start


def main() -> None:
    """Index, search, and print the times."""
    tokens, queries, folder = map(Path, sys.argv[1:])
    start = time.process_time()
    index = index_of(tokens, folder)
    built = time.process_time() - start
    searcher = index.searcher()
    rows: dict[str, list[tuple[str, list[str]]]] = json.loads(queries.read_text())
    seconds = {kind: [seconds_of(index, searcher, *asked) for asked in row] for kind, row in rows.items()}
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(json.dumps({"built": built, "mb": size / 1e6, "seconds": seconds}))


if __name__ == "__main__":
    main()
