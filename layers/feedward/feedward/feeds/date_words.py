"""Names of months in the languages that feeds write dates in, and the zone names of mail dates."""

from __future__ import annotations

import unicodedata
from functools import cache

_MONTHS = """
january february march april may june july august september october november december
januar februar märz april mai juni juli august september oktober november dezember
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
januari februari maart april mei juni juli augustus september oktober november december
januari februari mars april maj juni juli augusti september oktober november december
gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
január február március április május június július augusztus szeptember október november december
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
sty lut mrt kwi май июн июл sie wrz paź lis gru
jan feb μαώ apr mag ιον ιολ ago set out nov déc
""".strip()

_ENGLISH = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ENGLISH_MONTHS = {name: number for number, name in enumerate(_ENGLISH, 1)}

_ZONES = {
    "": 0, "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "met": 60, "mez": 60,
    "cest": 120, "mest": 120, "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "ist": 330, "jst": 540, "kst": 540,
    "sgt": 480, "hkt": 480, "awst": 480, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780, "at": -240, "ast": -240,
    "adt": -180, "et": -300, "est": -300, "edt": -240, "ct": -360, "cst": -360, "cdt": -300, "mt": -420, "mst": -420,
    "mdt": -360, "pt": -480, "pst": -480, "pdt": -420, "akst": -540, "akdt": -480, "hst": -600, "brt": -180,
    "art": -180, "a": -60, "n": 60, "m": -720, "y": 720,
}  # fmt: skip


def month(name: str) -> int | None:
    """1 to 12 for a month's name or any beginning of it (3 letters or more) that is no other month anywhere."""
    return ENGLISH_MONTHS.get(name.lower()) or _months().get(_folded(name))


def zone_minutes(name: str) -> int | None:
    """Minutes east of UTC for a zone's name; None if the name is not known."""
    return _ZONES.get(name.lower().removeprefix("etc/"))


@cache
def _months() -> dict[str, int]:
    found: dict[str, set[int]] = {}
    for line in _MONTHS.splitlines():
        for number, name in enumerate(map(_folded, line.split()), 1):
            for length in range(3, len(name) + 1):
                found.setdefault(name[:length], set()).add(number)
    return {name: numbers.pop() for name, numbers in found.items() if len(numbers) == 1}


def _folded(name: str) -> str:
    decomposed = unicodedata.normalize("NFD", name.lower().rstrip("."))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
