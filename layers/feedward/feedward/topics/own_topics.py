"""The topics that a feed's own document names (rule TP1). A tenant's folders are not topics (rule TP2). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from feedward.topics.names import topics_in

# Fewer items than this agree by chance.
_ITEMS_AT_LEAST: Final = 3


def own_topics(categories: Sequence[str], item_categories: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the topics of the feed's own categories, then those on which more than half of its last items agree."""
    own = [topic for category in categories for topic in topics_in(category)]
    of_items = Counter(topic for each in item_categories for topic in {t for text in each for t in topics_in(text)})
    half = max(len(item_categories), _ITEMS_AT_LEAST) / 2
    agreed = [topic for topic, items in of_items.most_common() if items > half and items >= _ITEMS_AT_LEAST]
    return tuple(dict.fromkeys((*own, *agreed)))
