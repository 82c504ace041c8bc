"""Index of the platform rules: the families for a host. A family is loaded for the first URL or page that needs it.

A domain stands for itself and all its subdomains; a name that ends in a dot, for that name under any domain. The index
may name a family without a rule for the host. It never misses a family with one, which a test ensures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# The file of each family and its domains. If two families have leads for a page, those of the upper family come first.
FAMILIES: Final[Mapping[str, str]] = {
    "github": "github.com",
    "code": """
        gitlab. gitlab.com framagit.org invent.kde.org salsa.debian.org code.videolan.org codeberg.org gitea.com
        forgejo.org notabug.org git.disroot.org sourceforge.net git.sr.ht
    """,
    "packages": "pypi.org pypi.python.org crates.io rubygems.org packagist.org",
    "blogs": "wordpress.com blogspot. tumblr.com medium.com dev.to",
    "hosted": """
        blog.fc2.com dreamwidth.org exblog.jp hashnode.dev livedoor.blog livejournal.com mataroa.blog micro.blog
        over-blog.com posthaven.com prose.sh svbtle.com tistory.com weblog.lol write.as bearblog.dev hatenablog.
        hateblo.jp hatenadiary. qiita.com zenn.dev velog.io campaign-archive. campaign-archive1.com
    """,
    "site_builders": "ghost.io squarespace.com",
    "newsletters": "substack.com buttondown. beehiiv.com",
    "shops": "myshopify.com",
    "forums": "reddit.com redd.it news.ycombinator.com lobste.rs",
    "questions": """
        stackoverflow.com stackexchange.com serverfault.com superuser.com askubuntu.com mathoverflow.net stackapps.com
    """,
    "reference": """
        arxiv.org wikipedia.org wiktionary.org wikinews.org wikiquote.org wikibooks.org wikisource.org wikiversity.org
        wikivoyage.org wikimedia.org wikidata.org mediawiki.org
    """,
    "video": """
        youtube.com youtu.be youtube-nocookie.com vimeo.com dailymotion.com odysee.com bitchute.com nicovideo.jp
        framatube.org tilvids.com peertube.tv tube.tchncs.de makertube.net diode.zone
    """,
    "audio": """
        soundcloud.com podcasts.apple.com itunes.apple.com overcast.fm pca.st pocketcasts.com castro.fm buzzsprout.com
        shows.acast.com play.acast.com art19.com audioboom.com spreaker.com rss.com anchor.fm hearthis.at ximalaya.com
        podbean.com transistor.fm libsyn.com fireside.fm podigee.io
    """,
    "social": "bsky.app main.bsky.dev pinterest. letterboxd.com goodreads.com",
    "fediverse": """
        mastodon. mastodonapp.uk mastodontech.de mstdn. mas.to masto.ai fosstodon.org hachyderm.io infosec.exchange
        techhub.social chaos.social ruby.social floss.social toot.community indieweb.social phpc.social front-end.social
        sigmoid.social mathstodon.xyz social.vivaldi.net social.coop mindly.social universeodon.com aus.social
        scholar.social kolektiva.social journa.host newsie.social oldbytes.space merveilles.town wandering.shop
        pawoo.net fediscience.org genomic.social tech.lgbt det.social norden.social troet.cafe social.tchncs.de
        lemmy. lemmygrad.ml lemm.ee sh.itjust.works beehaw.org programming.dev feddit. hexbear.net sopuli.xyz slrpnk.net
        reddthat.com discuss.tchncs.de aussie.zone midwest.social infosec.pub ttrpg.network mander.xyz startrek.website
        jlai.lu szmer.info lemmings.world discuss.online pixelfed. pixey.org pxlmo.com misskey. sushi.ski
        bookwyrm.social
    """,
    "art": "flickr.com behance.net deviantart.com artstation.com",
    "launches": "producthunt.com kickstarter.com store.steampowered.com steamcommunity.com itch.io",
}
# The families with software that runs on any host and is recognized by its pages.
SOFTWARE: Final = (
    "code",
    "blogs",
    "hosted",
    "site_builders",
    "newsletters",
    "shops",
    "forums",
    "reference",
    "video",
    "fediverse",
)

_FAMILY_OF: Final = {domain: family for family, domains in FAMILIES.items() for domain in domains.split()}


def families_of(host: str) -> tuple[str, ...]:
    """Return the families that may have rules for `host`, in the order of FAMILIES; empty for most hosts."""
    labels = host.split(".")
    places = {f"{label}." for label in labels} | {".".join(labels[count:]) for count in range(len(labels))}
    found = {_FAMILY_OF[place] for place in places if place in _FAMILY_OF}
    return tuple(family for family in FAMILIES if family in found)
