"""Made-up documents in 12 scripts, with word frequencies of real texts, and queries drawn from them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from feedward.search.document import FeedDocument

WORDS_A_SCRIPT = 12_000
SEED = 11
ITEMS = 10
# The letters of syllables: consonants, then vowels. Han, kana, Hangul and Thai words are rows of signs.
ALPHABETS = {
    "en": ("bcdfghklmnprstvw", "aeiou"),
    "fr": ("bcdfglmnpqrstv", "aeéèêiouôà"),
    "de": ("bdfghklmnrstwz", "aeiouäöü"),
    "vi": ("bcđghklmnprstvx", "aăâeêioôơuưáàảạế"),
    "ru": ("бвгджзклмнпрстфхч", "аеиоуыёя"),
    "el": ("βγδζθκλμνξπρστφχ", "αεηιουωάέή"),
    "ar": ("بتجحدرزسشصطعفقكلمنه", "اويأ"),
    "he": ("בגדהזחטכלמנסעפצקרשת", "אוי"),
    "hi": ("कखगघचजटडतदनपबमरलवसह", "ािीुूेैोौ"),
}
UNSPACED = {"zh": (0x4E00, 3000, 2), "ja": (0x3041, 80, 3), "ko": (0xAC00, 2000, 3)}
LANGUAGES = (*ALPHABETS, *UNSPACED)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a script; the first ones are the most frequent."""

    words: Sequence[str]
    weights: Sequence[float]

    def some(self, chance: random.Random, count: int) -> list[str]:
        """Draw words."""
        return chance.choices(self.words, cum_weights=self.weights, k=count)


def vocabularies() -> dict[str, Vocabulary]:
    """The vocabulary of each language, always the same."""
    chance = random.Random(SEED)
    weights = list(accumulate(1 / rank for rank in range(1, WORDS_A_SCRIPT + 1)))
    return {language: Vocabulary(_words(chance, language), weights) for language in LANGUAGES}


def documents(count: int) -> Iterator[FeedDocument]:
    """Yield `count` documents, always the same: a title, a site, a domain, a description and 10 item titles each."""
    known = vocabularies()
    for number in range(count):
        yield document(number, known)


def document(number: int, known: dict[str, Vocabulary], version: int = 1) -> FeedDocument:
    """One of the documents; another version has other words."""
    chance = random.Random(number * 1000 + version)
    language = LANGUAGES[number % len(LANGUAGES)]
    some, glue = known[language].some, "" if language in ("zh", "ja") else " "
    host = "".join(known["en"].some(chance, 2)) + f"{number % 977}"
    return FeedDocument(
        feed_id=f"01M8{number:022d}",
        version=version,
        url=f"https://{host}.example/feed.xml",
        domain=f"{host}.example",
        title=glue.join(some(chance, chance.randint(1, 4))).title(),
        site_title=glue.join(some(chance, chance.randint(1, 3))),
        site_url=f"https://{host}.example/",
        description=glue.join(some(chance, chance.randint(6, 18))),
        language=language,
        item_titles=tuple(glue.join(some(chance, chance.randint(4, 9))) for _ in range(ITEMS)),
        is_canonical=number % 3 == 0,
        is_stale=number % 7 == 0,
    )


def queries(of: Sequence[FeedDocument], count: int) -> dict[str, list[str]]:
    """Queries by kind, drawn from documents: a word occurs as often as in the documents."""
    chance = random.Random(SEED)
    spaced = [d for d in of if d.language in ALPHABETS]
    cjk = [d for d in of if d.language in UNSPACED]

    def drawn(documents: Sequence[FeedDocument], shortest: int = 1) -> str:
        while True:
            found = chance.choice(documents)
            text = chance.choice((found.title, found.title, found.site_title, chance.choice(found.item_titles)))
            words = [word for word in text.split() if len(word) >= shortest]
            if words:
                return chance.choice(words)

    def run_of_signs() -> str:
        text = drawn(cjk, 2)
        start = chance.randrange(len(text) - 1)
        return text[start : start + chance.randint(2, 4)] + " "

    def two() -> str:
        while True:
            words = chance.choice(spaced).title.split()
            if len(words) >= 2:
                return " ".join(words[:2]) + " "

    def mistyped() -> str:
        word = drawn([d for d in spaced if d.language != "hi"], 6)
        at = chance.randrange(1, len(word) - 1)
        return (
            chance.choice((word[:at] + word[at + 1 :], word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :])) + " "
        )

    return {
        "word": [drawn(spaced, 2) + " " for _ in range(count)],
        "prefix of 3": [drawn(spaced, 4)[:3] for _ in range(count)],
        "prefix of 2": [drawn(spaced, 3)[:2] for _ in range(count)],
        "two words": [two() for _ in range(count)],
        "Han, kana, Hangul": [run_of_signs() for _ in range(count)],
        "mistyped word": [mistyped() for _ in range(count)],
    }


def _words(chance: random.Random, language: str) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < WORDS_A_SCRIPT:
        words[_word(chance, language)] = None
    return list(words)


def _word(chance: random.Random, language: str) -> str:
    if language in UNSPACED:
        first, signs, longest = UNSPACED[language]
        return "".join(chr(first + chance.randrange(signs)) for _ in range(chance.randint(1, longest)))
    consonants, vowels = ALPHABETS[language]
    return "".join(chance.choice(consonants) + chance.choice(vowels) for _ in range(chance.randint(1, 5)))
