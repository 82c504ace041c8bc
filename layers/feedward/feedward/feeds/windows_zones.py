"""The time zones of Windows, as .NET and Outlook write them: `W. Europe Standard Time`, `(UTC+01:00) Amsterdam, ...`.

Such a name is the same in summer and winter, and means the clock of its place. The places are those of CLDR.
"""

from __future__ import annotations

import re
from collections.abc import Container
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from feedward.feeds.clock import offset

# Place in the IANA database | names before `Standard Time` | first words after `(UTC+00:00)`
_TABLE: Final = """
Etc/GMT+12|dateline|international date line west
Pacific/Pago_Pago|utc-11|midway island
America/Adak|aleutian|aleutian islands
Pacific/Honolulu|hawaiian|hawaii
Pacific/Marquesas|marquesas|marquesas islands
America/Anchorage|alaskan|alaska
America/Tijuana|pacific mexico|baja california/tijuana
America/Los_Angeles|pacific|pacific time
America/Phoenix|us mountain|arizona
America/Mazatlan|mountain mexico|chihuahua/la paz
America/Denver|mountain|mountain time
America/Whitehorse|yukon|yukon
America/Guatemala|central america|central america
America/Chicago|central|central time
Pacific/Easter|easter island|easter island
America/Mexico_City|central mexico/mexico|guadalajara
America/Regina|canada central|saskatchewan
America/Bogota|sa pacific|bogota
America/Cancun|eastern mexico|chetumal
America/New_York|eastern|eastern time
America/Port-au-Prince|haiti|haiti
America/Havana|cuba|havana
America/Indianapolis|us eastern|indiana
America/Grand_Turk|turks and caicos|turks and caicos
America/Asuncion|paraguay|asuncion
America/Halifax|atlantic|atlantic time
America/Caracas|venezuela|caracas
America/Cuiaba|central brazilian|cuiaba
America/La_Paz|sa western|georgetown
America/Santiago|pacific sa|santiago
America/St_Johns|newfoundland|newfoundland
America/Araguaina|tocantins|araguaina
America/Sao_Paulo|e. south america|brasilia
America/Cayenne|sa eastern|cayenne
America/Argentina/Buenos_Aires|argentina|city of buenos aires/buenos aires
America/Godthab|greenland|greenland
America/Montevideo|montevideo|montevideo
America/Punta_Arenas|magallanes|punta arenas
America/Miquelon|saint pierre|saint pierre and miquelon
America/Bahia|bahia|salvador
Atlantic/Azores|azores|azores
Atlantic/Cape_Verde|cape verde|cabo verde is./cape verde is.
Europe/London|gmt|dublin
Atlantic/Reykjavik|greenwich|monrovia
Africa/Sao_Tome|sao tome|sao tome
Africa/Casablanca|morocco|casablanca
Europe/Berlin|w. europe|amsterdam
Europe/Budapest|central europe|belgrade
Europe/Paris|romance|brussels
Europe/Warsaw|central european|sarajevo
Africa/Lagos|w. central africa|west central africa
Asia/Amman|jordan|amman
Europe/Bucharest|gtb|athens
Asia/Beirut|middle east|beirut
Africa/Cairo|egypt|cairo
Europe/Chisinau|e. europe|chisinau
Asia/Damascus|syria|damascus
Asia/Hebron|west bank|gaza
Africa/Johannesburg|south africa|harare
Europe/Kiev|fle|helsinki
Asia/Jerusalem|israel|jerusalem
Africa/Juba|south sudan|juba
Europe/Kaliningrad|kaliningrad|kaliningrad
Africa/Khartoum|sudan|khartoum
Africa/Tripoli|libya|tripoli
Africa/Windhoek|namibia|windhoek
Asia/Baghdad|arabic|baghdad
Europe/Istanbul|turkey|istanbul
Asia/Riyadh|arab|kuwait
Europe/Minsk|belarus|minsk
Europe/Moscow|russian|moscow
Africa/Nairobi|e. africa|nairobi
Asia/Tehran|iran|tehran
Asia/Dubai|arabian|abu dhabi
Europe/Astrakhan|astrakhan|astrakhan
Asia/Baku|azerbaijan|baku
Europe/Samara|russia time zone 3|izhevsk
Indian/Mauritius|mauritius|port louis
Europe/Saratov|saratov|saratov
Asia/Tbilisi|georgian|tbilisi
Europe/Volgograd|volgograd|volgograd
Asia/Yerevan|caucasus/armenian|yerevan
Asia/Kabul|afghanistan|kabul
Asia/Tashkent|west asia|ashgabat
Asia/Yekaterinburg|ekaterinburg|ekaterinburg
Asia/Karachi|pakistan|islamabad
Asia/Qyzylorda|qyzylorda|qyzylorda
Asia/Kolkata|india|chennai
Asia/Colombo|sri lanka|sri jayawardenepura
Asia/Kathmandu|nepal|kathmandu
Asia/Bishkek|central asia|bishkek
Asia/Dhaka|bangladesh|dhaka
Asia/Omsk|omsk|omsk
Asia/Yangon|myanmar|yangon
Asia/Bangkok|se asia|bangkok
Asia/Barnaul|altai|barnaul
Asia/Hovd|w. mongolia|hovd
Asia/Krasnoyarsk|north asia|krasnoyarsk
Asia/Novosibirsk|n. central asia|novosibirsk
Asia/Tomsk|tomsk|tomsk
Asia/Shanghai|china|beijing
Asia/Irkutsk|north asia east|irkutsk
Asia/Singapore|singapore|kuala lumpur
Australia/Perth|w. australia|perth
Asia/Taipei|taipei|taipei
Asia/Ulaanbaatar|ulaanbaatar|ulaanbaatar
Australia/Eucla|aus central w.|eucla
Asia/Chita|transbaikal|chita
Asia/Tokyo|tokyo|osaka
Asia/Pyongyang|north korea|pyongyang
Asia/Seoul|korea|seoul
Asia/Yakutsk|yakutsk|yakutsk
Australia/Adelaide|cen. australia|adelaide
Australia/Darwin|aus central|darwin
Australia/Brisbane|e. australia|brisbane
Australia/Sydney|aus eastern|canberra
Pacific/Port_Moresby|west pacific|guam
Australia/Hobart|tasmania|hobart
Asia/Vladivostok|vladivostok|vladivostok
Australia/Lord_Howe|lord howe|lord howe island
Pacific/Bougainville|bougainville|bougainville island
Asia/Srednekolymsk|russia time zone 10|chokurdakh
Asia/Magadan|magadan|magadan
Pacific/Norfolk|norfolk|norfolk island
Asia/Sakhalin|sakhalin|sakhalin
Pacific/Guadalcanal|central pacific|solomon is.
Asia/Kamchatka|russia time zone 11/kamchatka|anadyr/petropavlovsk-kamchatsky
Pacific/Auckland|new zealand|auckland
Pacific/Fiji|fiji|fiji
Pacific/Chatham|chatham islands|chatham islands
Pacific/Tongatapu|tonga|nuku'alofa
Pacific/Apia|samoa|samoa
Pacific/Kiritimati|line islands|kiritimati island
"""
_NAME: Final = re.compile(
    r"[(\[]?(?P<words>(?:[a-z][a-z.-]* ){1,5})(?P<season>standard|daylight) time(?P<country> \(mexico\))?[)\]]?(?!\w)"
    r"|(?P<russian>russia time zone 1?\d)(?!\w)",
    re.IGNORECASE,
)
_DISPLAYED: Final = re.compile(r"\((?:UTC|GMT)(?:([+-])(\d{2}):(\d{2}))?\) ([a-z][^,(;&]*).*$", re.IGNORECASE)
_JANUARY: Final = datetime(2024, 1, 1, tzinfo=UTC)
_ZERO: Final = timedelta()


def take_windows_zone(text: str, others: Container[str]) -> tuple[str, str] | None:
    """Split a date from the zone of Windows that it names: (the rest, a name of the IANA database or an offset).

    `others` are names of zones with a `Daylight Time` of their own. Returns None for a date without such a zone.
    """
    if found := _DISPLAYED.search(text):
        zone = _displayed(found)
        return (text[: found.start()].rstrip(), zone) if zone else None
    found = _NAME.search(text)
    if found is None:
        return None
    words = (found["russian"] or found["words"]).lower().split()
    country = ["mexico"] if found["country"] else []
    for first in range(len(words)):
        name = " ".join([*words[first:], *country])
        place = _places()[0].get(name)
        if name in others and (place is None or found["season"].lower() == "daylight"):
            return None
        if place:
            return " ".join((text[: found.start()].rstrip(), *words[:first], text[found.end() :].lstrip())), place
    return None


def _displayed(found: re.Match[str]) -> str | None:
    """Return the place of a displayed name, or its offset if this is not the place's own in winter; None if unknown."""
    place = _places()[1].get(found[4].strip().lower())
    if place is None:
        return None
    at = _JANUARY.astimezone(ZoneInfo(place))
    own = (at.utcoffset() or _ZERO) - (at.dst() or _ZERO)
    said = timedelta(minutes=offset(found[1], found[2], found[3])) if found[1] else _ZERO
    return place if own == said else f"{found[1] or '+'}{found[2] or '00'}{found[3] or '00'}"


@cache
def _places() -> tuple[dict[str, str], dict[str, str]]:
    """Return name -> place, of the names themselves and of displayed names."""
    names: dict[str, str] = {}
    displayed: dict[str, str] = {}
    for row in _TABLE.split("\n")[1:-1]:
        place, ids, firsts = row.split("|")
        names.update(dict.fromkeys(ids.split("/"), place))
        displayed.update(dict.fromkeys(firsts.split("/"), place))
    return names, displayed
