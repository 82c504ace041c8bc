"""RSSHub's routes for videos, music, games, pictures and their creators."""

from __future__ import annotations

from feedward.discovery.platforms.art import ARTSTATION_PAGES, BEHANCE_PAGES
from feedward.discovery.platforms.audio import SOUNDCLOUD_PAGES
from feedward.discovery.rsshub.rule import Route, on, on_people

ROUTES: tuple[Route, ...] = (
    *on(
        "youtube.com m.youtube.com music.youtube.com",
        {
            "/channel/{id:UC[A-Za-z0-9_-]+}/*": "/youtube/channel/{id}",
            "/playlist?list={id}": "/youtube/playlist/{id}",
            "/user/{user}/*": "/youtube/user/{user}",
            "/c/{name}/*": "/youtube/c/{name}",
            "/@{handle}/*": "/youtube/user/@{handle}",
        },
    ),
    *on(
        "open.spotify.com",
        {
            "/{kind:artist|playlist|show}/{id:[A-Za-z0-9]+}/*": "/spotify/{kind}/{id}",
            "/{locale:intl-[a-z-]+}/{kind:artist|playlist|show}/{id:[A-Za-z0-9]+}/*": "/spotify/{kind}/{id}",
        },
    ),
    *on_people(
        "soundcloud.com m.soundcloud.com",
        {"/{user:[A-Za-z0-9_-]+}/*": "/soundcloud/tracks/{user}"},
        reserved=" ".join(SOUNDCLOUD_PAGES),
    ),
    *on_people(
        "mixcloud.com m.mixcloud.com",
        {"/{user:[A-Za-z0-9_-]+}/*": "/mixcloud/{user}/uploads"},
        reserved="about categories discover genres live login media premium search select settings signup tag upload",
    ),
    *on_people(
        "twitch.tv m.twitch.tv",
        {
            "/{user:[A-Za-z0-9_]+}/schedule/*": "/twitch/schedule/{user}",
            "/{user:[A-Za-z0-9_]+}/{tab:videos|clips}/*": "/twitch/video/{user}",
            "/{user:[A-Za-z0-9_]+}/*": "/twitch/live/{user}",
        },
        reserved=(
            "activate bits collections communities creatorcamp directory downloads drops event friends inventory "
            "jobs login messages moderator p payments popout prime products redeem search settings signup store "
            "subs subscriptions team turbo u user videos wallet"
        ),
    ),
    *on_people(
        "patreon.com",
        {
            "/{place:c|cw}/{creator}/*": "/patreon/{creator}",
            "/{creator:[A-Za-z0-9_-]+}/*": "/patreon/{creator}",
        },
        reserved=(
            "about api apps auth become-a-patron bepatron c campaigns careers checkout cms collection community "
            "create creation creators-only cw dashboard discover download explore file home invite join legal "
            "library login logout m manage membership messages notifications oauth2 policy portal post posts "
            "press pricing privacy product profile search settings shop signup store terms user"
        ),
    ),
    *on(
        "store.steampowered.com",
        {
            "/curator/{curator}/*": "/steam/curator/{curator}",
            "/news/app/{id:[0-9]+}/*": "/steam/news/{id}",
            "/app/{id:[0-9]+}/*": "/steam/news/{id}",
        },
    ),
    *on(
        "steamcommunity.com",
        {
            "/app/{id:[0-9]+}/*": "/steam/news/{id}",
            "/games/{id:[0-9]+}/*": "/steam/news/{id}",
        },
    ),
    *on(
        "pixiv.net",
        {
            "/users/{id:[0-9]+}/bookmarks/*": "/pixiv/user/bookmarks/{id}",
            "/users/{id:[0-9]+}/novels/*": "/pixiv/user/novels/{id}",
            "/users/{id:[0-9]+}/*": "/pixiv/user/{id}",
            "/en/users/{id:[0-9]+}/bookmarks/*": "/pixiv/user/bookmarks/{id}",
            "/en/users/{id:[0-9]+}/novels/*": "/pixiv/user/novels/{id}",
            "/en/users/{id:[0-9]+}/*": "/pixiv/user/{id}",
            "/member.php?id={id:[0-9]+}": "/pixiv/user/{id}",
            "/ranking.php?mode={mode:[a-z0-9_]+}": "/pixiv/ranking/{mode}",
            "/ranking.php": "/pixiv/ranking/daily",
            "/novel/series/{id:[0-9]+}/*": "/pixiv/novel/series/{id}",
            "/tags/{tag}/*": "/pixiv/search/{tag}",
            "/en/tags/{tag}/*": "/pixiv/search/{tag}",
        },
    ),
    *on("fanbox.cc", {"/@{creator}/*": "/fanbox/{creator}"}),
    *on(".fanbox.cc", {"/*": "/fanbox/{sub}"}),
    *on_people(
        "artstation.com",
        {
            "/artist/{user}/*": "/artstation/{user}",
            "/{user:[A-Za-z0-9_-]+}/*": "/artstation/{user}",
        },
        reserved=" ".join(ARTSTATION_PAGES),
    ),
    *on_people(
        "behance.net",
        {
            "/{user:[A-Za-z0-9_-]+}/appreciated/*": "/behance/{user}/appreciated",
            "/{user:[A-Za-z0-9_-]+}/*": "/behance/{user}",
        },
        reserved=" ".join(BEHANCE_PAGES),
    ),
    *on_people(
        "dribbble.com",
        {
            "/shots/popular/*": "/dribbble/popular",
            "/search/{keyword}": "/dribbble/keyword/{keyword}",
            "/{user:[A-Za-z0-9_-]+}/*": "/dribbble/user/{user}",
        },
        reserved=(
            "about account advertise blog careers colors contact designers designing education following goods "
            "hiring jobs learn login logout meetups overtime playoffs privacy pro projects resources search "
            "session shots signup stories tags teams terms tour"
        ),
    ),
    *on(
        "furaffinity.net",
        {
            "/{page:user|gallery|scraps|favorites|journals|commissions}/{user}/*": "/furaffinity/{page}/{user}",
            "/watchlist/to/{user}/*": "/furaffinity/watchers/{user}",
            "/watchlist/by/{user}/*": "/furaffinity/watching/{user}",
        },
    ),
    *on("podcasts.apple.com", {"/{country}/podcast/{name}/id{id:[0-9]+}": "/apple/podcast/id{id}"}),
    *on(
        "apps.apple.com itunes.apple.com",
        {
            "/{country:[a-z][a-z]}/app/{name}/id{id:[0-9]+}": "/apple/apps/update/{country}/id{id}",
            "/{country:[a-z][a-z]}/app/id{id:[0-9]+}": "/apple/apps/update/{country}/id{id}",
        },
    ),
    *on("xiaoyuzhoufm.com", {"/podcast/{id}/*": "/xiaoyuzhou/podcast/{id}"}),
    *on(
        "ximalaya.com m.ximalaya.com",
        {"/album/{id:[0-9]+}/*": "/ximalaya/album/{id}", "/{topic:[a-z]+}/{id:[0-9]+}/*": "/ximalaya/album/{id}"},
        reserved="passport sound zhubo",
    ),
)
