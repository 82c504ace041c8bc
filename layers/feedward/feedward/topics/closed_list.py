"""The closed list of topics (rule TP3): ids, labels for people, and the names that podcasts and directories use.

A name becomes the id of a topic of the list, or stays text (rule TP1). Podcasts and directories write one topic in many
ways: `Business:Marketing`, `society-culture`, `Health &amp;amp; Fitness`, several in one text with commas.

The names hold both lists of Apple's podcast directory, before and after 2019. A name is written
here in lower case, without `&`, `and` and signs, as `name_key` returns it. Pure data.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import unescape
from typing import Final

NAME_CHARS: Final = 80
_READ_CHARS: Final = 1000
_SILENT_WORDS: Final = frozenset({"and", "n", "the"})
_LEVELS: Final = re.compile(r"[:/>|»→\\]+|\s-+\s")
_SEVERAL: Final = re.compile(r"[,;、，；]")
_NO_WORD: Final = re.compile(r"[^\w+#.]+|_|(?<!\w)\.|\.(?!\w)")
# Placeholders that a program or a person enters if no topic was chosen.
_CHOOSE_NOTHING: Final = """
    uncategorized uncategorised unkategorisiert allgemein general default other others misc miscellaneous none blog
    blogs post posts article articles all home featured main test rss feed feeds category categories tag tags
    podcast podcasts episode episodes site updates update archive null undefined
"""
_NO_TOPICS: Final = frozenset(_CHOOSE_NOTHING.split())


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the closed list: its id, which is stored, its label, which people see, and its other names."""

    id: str
    label: str
    names: tuple[str, ...] = ()


_LIST: Final = """
technology | Technology | tech; tech news; computers; computing; internet; information technology; it; technologie
programming | Programming | software; software development; software engineering; software how to; coding; developer; \
developers; development; programming languages; computer science
web-development | Web Development | web; webdev; web design; frontend; front end; javascript; css
mobile-development | Mobile Development | android development; ios development; app development; apps
artificial-intelligence | Artificial Intelligence | ai; machine learning; ml; data science; deep learning; data
security | Security | cybersecurity; cyber security; information security; infosec; privacy; computer security
open-source | Open Source | linux; free software; foss; open source software; unix
cloud | Cloud & Operations | cloud computing; devops; sysadmin; system administration; infrastructure; cloud operations
gadgets | Gadgets | android; apple; hardware; electronics; consumer electronics; mobile; phones; gear
user-interface | UI & UX | ui; ux; ui ux; user experience; user interface; usability
startups | Startups | startup; entrepreneurship; entrepreneurs; venture capital; founders
business | Business | business news; business economy; management; management marketing; careers; career; jobs; work; \
industry; leadership
marketing | Marketing | advertising; seo; public relations; social media; branding
economy | Economy | economics; macroeconomics; economy markets
personal-finance | Personal Finance | investing; finance; money; stocks; stock market; personal investing; \
cryptocurrency; crypto
non-profit | Non-Profit | nonprofit; non profit; charity; philanthropy; volunteering; government organizations
news | News | daily news; news commentary; general news; headlines; current affairs; world news; top stories; \
news politics; world; international; breaking news; nachrichten; noticias; actualites; actualités; notizie; новости; \
ニュース; 新闻; 新聞; 뉴스
local-news | Local News | local; regional; national; local government; city news
politics | Politics | government; policy; public policy; elections; political news; geopolitics; politik; politique; \
política; politica; политика
law | Law | legal; justice; courts
society | Society & Culture | society culture; society; culture; social issues; documentary; personal journals; \
kultur; gesellschaft; cultura; places people
philosophy | Philosophy | ethics
relationships | Relationships | dating; marriage; sexuality; love
religion | Religion & Spirituality | religion spirituality; religion; spirituality; buddhism; christianity; hinduism; \
islam; judaism; faith; church; bible; theology
history | History | archaeology; music history; film history; geschichte; histoire; historia
science | Science | natural sciences; chemistry; physics; science medicine; research; wissenschaft; sciences; ciencia; \
scienza; наука; 科学
space | Space | astronomy; spaceflight; astrophysics; cosmos; space exploration
mathematics | Mathematics | math; maths; statistics
life-sciences | Biology | life sciences; biology; genetics; ecology; neuroscience
social-sciences | Social Sciences | psychology; sociology; anthropology; linguistics
environment | Environment | nature; earth sciences; climate; climate change; sustainability; energy; wildlife; \
geology; green
health | Health & Fitness | health fitness; health; fitness; fitness nutrition; nutrition; wellness; \
alternative health; yoga; running; gesundheit; salud; sante; santé
medicine | Medicine | medical; public health; healthcare; doctors
mental-health | Mental Health | self help; self improvement; personal development; mindfulness; meditation; productivity
education | Education | courses; how to; training; higher education; k 12; educational technology; \
education technology; teaching; learning; university; schools; bildung
languages | Languages | language learning; language courses; language; english
arts | Arts | art; visual arts; performing arts; theater; theatre; dance; painting; museums; kunst; arte
design | Design | graphic design; typography; illustration; industrial design
architecture | Architecture | urbanism; urban planning; cities
interior-design | Interior Design | interiors; decor; home decor; decoration
photography | Photography | photos; photo; cameras; photographers
fashion | Fashion & Beauty | fashion beauty; fashion; beauty; style; makeup; mode
books | Books | literature; reading; writing; poetry; book reviews; publishing; authors; libros; livres; bucher; bücher
fiction | Fiction | drama; science fiction; comedy fiction; fantasy; short stories; sci fi; audio drama
comics | Comics & Animation | animation manga; anime; manga; comics; cartoons; animation; web comics; webcomics
film | Film | movies; cinema; film interviews; film reviews; movie reviews; movie; films; kino
television | Television | tv; tv film; tv reviews; after shows; tv shows; series; streaming
music | Music | music commentary; music interviews; songs; bands; albums; concerts; musik; musique; música; musica; 音楽
podcasts | Podcasting | podcasting; podcast; radio; audio
celebrities | Entertainment | entertainment news; entertainment; celebrity; celebrities; gossip; \
pop culture; popular culture
comedy | Comedy | funny; humor; humour; comedy interviews; improv; stand up; satire; memes
true-crime | True Crime | crime; mystery
games | Gaming | gaming; video games; games; other games; games hobbies; board games; esports; videogames
hobbies | Hobbies & Leisure | leisure; hobbies; hobby; recreation; collecting
crafts | Crafts & DIY | diy; crafts; making; makers; do it yourself; woodworking; knitting; sewing
home-garden | Home & Garden | home garden; home; garden; gardening; houses; homes
cars | Cars | automotive; auto; autos; automobiles; motoring; motorsport; formula 1; f1; motorcycles; car; vehicles
aviation | Aviation & Transport | aviation; transport; transportation; trains; railways; airlines; flying
food | Food | cooking; recipes; food drink; wine; beer; coffee; baking; restaurants; cuisine; food recipes
travel | Travel | places travel; tourism; travelling; traveling; destinations; reisen; voyage; viajes; viaggi
outdoors | Outdoors | wilderness; outdoor; hiking; climbing; cycling; camping; bicycles; fishing; adventure
sports | Sports | sports news; sport; sports recreation; fantasy sports; amateur; professional; college high school; \
golf; hockey; rugby; baseball; basketball; swimming; volleyball; wrestling; american football; nfl; nba; mlb; nhl; \
deportes; спорт; olympics; athletics
soccer | Soccer | football; futbol; fútbol; fussball; premier league; calcio
cricket | Cricket | ipl
tennis | Tennis | atp; wta
family | Kids & Family | kids family; kids; family; parenting; education for kids; stories for kids; children
pets | Pets & Animals | pets animals; pets; animals; dogs; cats; birds
shopping | Shopping | deals; bargains; product reviews; reviews; retail; coupons
"""


def _read(line: str) -> Topic:
    name, label, names = (part.strip() for part in line.split("|"))
    return Topic(name, label, tuple(each.strip() for each in names.split(";")))


TOPICS: Final = tuple(_read(line) for line in _LIST.strip().splitlines())
BY_ID: Final = {topic.id: topic for topic in TOPICS}


def normal_topic(text: str) -> str | None:
    """Return the id of the topic that a name means, or the clean name of an unknown one. None for an empty name.

    In a path (`Business:Marketing`) the last known part counts, in a list (`Arts, Food`) the first. The function is
    idempotent.
    """
    clean = _clean(text)
    if not clean:
        return None
    return _known(clean) or next((known for part in _SEVERAL.split(clean) if (known := _known(part))), clean)


def topics_in(text: str) -> tuple[str, ...]:
    """Return all topics in a text of a feed, without duplicates: a name, a path, or a list of them.

    Placeholders such as `Uncategorized`, and names that are too long, are left out.
    """
    clean = _clean(text, at_most=_READ_CHARS)
    parts = [clean] if _known(clean) else [part.strip() for part in _SEVERAL.split(clean)]
    return tuple(dict.fromkeys(_known(part) or part for part in parts if _is_name(part)))


def label_of(topic: str) -> str:
    """Return the label of a topic for people: that of the closed list, or the name of an unknown one itself."""
    known = BY_ID.get(topic)
    return known.label if known else topic


def topic_key(topic: str) -> str:
    """Return the key that all spellings of one topic share: the id, or the words of an unknown one in lower case."""
    return topic if topic in BY_ID else name_key(topic) or topic.casefold()


def name_key(name: str) -> str:
    """Return the words of a name in lower case, without signs and `and`: `Health & Fitness` is `health fitness`."""
    words = _NO_WORD.sub(" ", unicodedata.normalize("NFKC", name).casefold()).split()
    return " ".join(word for word in words if word not in _SILENT_WORDS)


def _is_name(part: str) -> bool:
    key = name_key(part)
    return bool(key) and len(part) <= NAME_CHARS and key not in _NO_TOPICS and not key.isdecimal()


def _known(text: str) -> str | None:
    """Return the topic id of a name or of a path's last known part."""
    if known := _ids().get(name_key(text)):
        return known
    parts: Iterable[str] = reversed(_LEVELS.split(text))
    return next((known for part in parts if (known := _ids().get(name_key(part)))), None)


def _clean(text: str, *, at_most: int = NAME_CHARS) -> str:
    """Return a text unescaped at all levels, in NFC, with collapsed white space, without control characters."""
    text, before = text[:_READ_CHARS], ""
    while text != before:  # each round is shorter, or the last
        text, before = _once(text), text
    return text[:at_most].strip()


def _once(text: str) -> str:
    decoded = " ".join(unescape(text).split())
    shown = "".join(sign for sign in decoded if unicodedata.category(sign) not in {"Cc", "Cf", "Cs"})
    return unicodedata.normalize("NFC", shown)[:_READ_CHARS]


@cache
def _ids() -> dict[str, str]:
    """Return the ids by the keys of ids, labels and names."""
    ids = {name_key(name): topic.id for topic in TOPICS for name in topic.names}
    return ids | {name_key(name): topic.id for topic in TOPICS for name in (topic.id, topic.label)}
