"""The closed list of topics (rule TP3): ids, labels for people, and the names that podcasts and directories use.

The names hold both lists of Apple's podcast directory, before and after 2019. `names.py` reads them. A name is written
here in lower case, without `&`, `and` and signs, as `names.name_key` returns it. Pure data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


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
