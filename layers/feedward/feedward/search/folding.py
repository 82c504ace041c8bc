"""Folds a word: one form for all its spellings, and the exact form that ranks higher (rule Q22). Pure.

The classes of characters by script are contents of regular expression sets.
"""

from __future__ import annotations

import re
from unicodedata import decimal, normalize

# All combining marks (categories Mn, Mc, Me), including unassigned characters between them, and whole blocks of scripts
# beyond the first plane, since each range there costs time for each character. Python's \w omits marks, and would cut
# Hindi, Thai, and pointed Hebrew and Arabic at each of them.
MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd\u0816-\u082d\u0859-\u085b"
    "\u0898-\u089f\u08ca-\u08e1\u08e3-\u0903\u093a-\u0963\u0981-\u0983\u09bc-\u09e3\u09fe-\u0a03\u0a3c-\u0a75"
    "\u0a81-\u0a83\u0abc-\u0ae3\u0afa-\u0b03\u0b3c-\u0b63\u0b82\u0bbe-\u0bd7\u0c00-\u0c04\u0c3c-\u0c63\u0c81-\u0c83"
    "\u0cbc-\u0d03\u0d3b-\u0d4d\u0d57-\u0d63\u0d81-\u0d83\u0dca-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ecd"
    "\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86-\u0fbc\u0fc6\u102b-\u103e\u1056-\u109d"
    "\u135d-\u135f\u1712-\u1734\u1752-\u1773\u17b4-\u17d3\u17dd\u180b-\u180d\u180f\u1885-\u18a9\u1920-\u193b"
    "\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1ace\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1bad\u1be6-\u1bf3"
    "\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f"
    "\u3099\u309a\ua66f-\ua672\ua674-\ua67d\ua69e\ua69f\ua6f0\ua6f1\ua802-\ua827\ua82c\ua880\ua881\ua8b4-\ua8c5"
    "\ua8e0-\ua8f1\ua8ff-\ua92d\ua947-\ua953\ua980-\ua983\ua9b3-\ua9c0\ua9e5\uaa29-\uaa4d\uaa7b-\uaa7d\uaab0-\uaac1"
    "\uaaeb-\uaaef\uaaf5\uaaf6\uabe3-\uabea\uabec\uabed\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f"
    "\U00011000-\U00011fff\U0001e8d0-\U0001e94a\U000e0100-\U000e01ef"
)
# Marks that do not change a word: of Latin, Greek and Cyrillic, of Hebrew, of Arabic. All others are letters of their
# script: the dots of kana, the vowels of Hindi, the tones of Thai.
DROPPED_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u180b-\u180d\u180f"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f"
)
# Signs that join the letters on both sides into one word: apostrophes, Hebrew geresh and gershayim, and invisible
# characters (soft hyphen, joiners, marks of direction).
APOSTROPHES = "'\u2018\u2019\u201b\u02bb\u02bc\u02bd`\u05f3\u05f4"
NON_JOINER = "\u200c"
UNSEEN = "\u00ad\u061c\u180e\u200d-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0100-\U000e01ef"
# Scripts without blanks between words, and Hangul, whose particles are attached to the word.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uaa60-\uaa7f\ua9e0-\ua9ff\uac00-\ud7af\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U000323af"
)
HANGUL = "\uac00-\ud7af"
# All characters that folding changes in an exact form, and some others: most texts have none of them.
MAY_FOLD = (
    "\u00e0-\u017e\u0192\u01a1\u01b0\u01ce-\u01ed\u01f5-\u021f\u0227-\u0237\u0253-\u0257\u0268\u0289\u0300-\u036f"
    "\u03ac-\u03af\u03ca-\u03ce\u0450-\u0451\u045d\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u0622\u0623\u0625\u0629"
    "\u0649\u064b-\u0669\u0670-\u0671\u06a9\u06aa\u06be-\u06c2\u06cc\u06d0\u06d2\u06d6-\u06f9\u07c0-\u07c9\u0898-\u089f\u08ca-\u08ff"
    "\u0901\u093c\u094d\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef"
    "\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u1090-\u1099\u17e0-\u17e9"
    "\u180b-\u1819\u1946-\u194f\u19d0-\u19d9\u1a80-\u1a89\u1a90-\u1a99\u1ab0-\u1aff\u1b50-\u1b59\u1bb0-\u1bb9"
    "\u1c40-\u1c49\u1c50-\u1c59\u1dc0-\u1e95\u1ea1-\u1ef9\u1f00-\u1f07\u1f10-\u1f15\u1f20-\u1f27\u1f30-\u1f37"
    "\u1f40-\u1f45\u1f51-\u1f57\u1f60-\u1f67\u1f70-\u1f7c\u1fb0-\u1fb1\u1fd0-\u1fd1\u1fe0-\u1fe5\u20d0-\u20f0"
    "\u2260\u226e-\u226f\ua620-\ua629\ua8d0-\ua8d9\ua900-\ua909\ua9d0-\ua9d9\ua9f0-\ua9f9\uaa50-\uaa59"
    "\uabf0-\uabf9\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f"
)
_NOT_SEEN = re.compile(f"[{APOSTROPHES}{NON_JOINER}{UNSEEN}\u0640\u034f]")
_MAY_FOLD = re.compile(f"[{MAY_FOLD}]")
_DROPPED = re.compile(f"[{DROPPED_MARKS}]")
# Letters without a decomposition. Arabic letters are folded in composed form: they lose their hamza.
_LETTERS = dict(
    zip(
        "øđðłıħŧŋĸſɨʉɓɗƒėȷеѐѝёأإآٱىیېےکڪةۀہھۂ",
        "oddlihtnksiubdfejеeиеااااييييككههههه",
        strict=True,
    )
) | {"ѐ": "е", "æ": "ae", "œ": "oe", "þ": "th", "ß": "ss"}
# In Hindi a nasal before a consonant of its place is written as a letter or as a dot: हिन्दी, हिंदी. At the end of a
# word it may start such a pair.
_DEVANAGARI = re.compile("[\u0900-\u097f]")
_NASAL = re.compile("\u0901|ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])|[ङञणनम]्(?![\u0900-\u097f])")
_TRANSCRIBED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae"})
_MAY_TRANSCRIBE = re.compile("[äöüåøæ]")


class _Folds(dict[str, str]):
    """The folded form of each character, cached on first use."""

    def __missing__(self, character: str) -> str:
        self[character] = folded = _folded_character(character)
        return folded


_FOLDS = _Folds()


def exact_form(word: str) -> str:
    """Return the word in lower case, composed, without invisible signs; accents are kept."""
    if word.isascii():
        return _NOT_SEEN.sub("", word.lower())
    folded = normalize("NFKC", word).casefold()
    if _NOT_SEEN.search(folded):
        folded = _NOT_SEEN.sub("", folded)
    composed = normalize("NFKC", folded)
    return composed if composed == folded else normalize("NFKC", composed.casefold())


def folded_form(exact: str) -> str:
    """Return an exact form without the accents and marks that people omit. The function is idempotent."""
    if not _MAY_FOLD.search(exact):
        return exact
    folded = normalize("NFKC", _replaced(exact))
    return _NASAL.sub("\u0902", folded) if _DEVANAGARI.search(folded) else folded


def transcribed_form(exact: str) -> str:
    """Return the form in which umlauts are two letters: `muenchen`; empty if the word has none."""
    return folded_form(exact.translate(_TRANSCRIBED)) if _MAY_TRANSCRIBE.search(exact) else ""


def _replaced(exact: str) -> str:
    """Return the text with each character folded, one kind after the other; no character is folded twice."""
    for character in set(_MAY_FOLD.findall(exact)):
        folded = _FOLDS[character]
        if folded != character:
            exact = exact.replace(character, folded)
    return exact


def _folded_character(character: str) -> str:
    if character > "\uffff":
        return character
    if character in _LETTERS:
        return _LETTERS[character]
    if _DROPPED.match(character):
        return ""
    digit = decimal(character, None)
    if digit is not None:
        return str(digit)
    base = _DROPPED.sub("", normalize("NFD", character))
    return _LETTERS.get(base, base) if _is_latin_or_greek(base) else character


def _is_latin_or_greek(text: str) -> bool:
    return len(text) == 1 and (text < "\u0250" or "\u0370" <= text <= "\u03ff" or "\u1e00" <= text <= "\u1fff")
