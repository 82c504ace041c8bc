"""RSSHub's routes for social networks and publishing platforms."""

from __future__ import annotations

from feedward.discovery.rsshub.rule import Route, on, on_people

ROUTES: tuple[Route, ...] = (
    *on_people(
        "x.com twitter.com mobile.x.com mobile.twitter.com",
        {
            "/i/lists/{id:[0-9]+}/*": "/twitter/list/{id}",
            "/search?q={keyword}": "/twitter/keyword/{keyword}",
            "/hashtag/{tag}": "/twitter/keyword/%23{tag}",
            "/{user:[A-Za-z0-9_]+}/media": "/twitter/media/{user}",
            "/{user:[A-Za-z0-9_]+}/likes": "/twitter/likes/{user}",
            "/{user:[A-Za-z0-9_]+}/following": "/twitter/followings/{user}",
            "/{user:[A-Za-z0-9_]+}/*": "/twitter/user/{user}",
        },
        reserved=(
            "account_settings bookmarks compose en es explore hashtag home i intent jobs lists messages moments "
            "notifications oauth premium privacy search settings share signup status tos who_to_follow"
        ),
    ),
    *on(
        "threads.net threads.com",
        {"/@{user}/*": "/threads/{user}"},
    ),
    *on_people(
        "instagram.com m.instagram.com",
        {
            "/explore/tags/{tag}/*": "/instagram/tags/{tag}",
            "/stories/{user:[A-Za-z0-9_.]+}/*": "/instagram/user/{user}",
            "/{user:[A-Za-z0-9_.]+}/*": "/instagram/user/{user}",
        },
        reserved=(
            "about accounts api blog challenge create developer developers direct directory emails explore "
            "graphql invites legal login logout nametag oauth p popular press privacy qr reel reels session "
            "static stories terms topics tv web"
        ),
    ),
    *on_people(
        "facebook.com m.facebook.com",
        {
            "/groups/{id}/*": "/facebook/group/{id}",
            "/pg/{page:[A-Za-z0-9.-]+}/*": "/facebook/page/{page}",
            "/{page:[A-Za-z0-9.-]+}/*": "/facebook/page/{page}",
        },
        reserved=(
            "about ads bookmarks business careers dialog directory events fbsite find-friends friends fundraisers "
            "gaming groups hashtag help home.php l.php legal login login.php logout marketplace media memories "
            "messages notifications p pages people permalink.php photo photo.php photos places plugins policies "
            "privacy profile.php public recover reel reg saved search settings share sharer sharer.php stories "
            "story.php terms video videos watch"
        ),
    ),
    *on(
        "linkedin.com",
        {"/company/{company}/*": "/linkedin/company/{company}/posts"},
    ),
    *on_people(
        "t.me telegram.me telegram.dog",
        {
            "/s/{channel:[A-Za-z][A-Za-z0-9_]+}/*": "/telegram/channel/{channel}",
            "/{channel:[A-Za-z][A-Za-z0-9_]+}/*": "/telegram/channel/{channel}",
        },
        reserved=(
            "a addemoji addlist addstickers addtheme bg boost c confirmphone contact giftcode invoice iv joinchat k "
            "login m msg nft proxy s setlanguage share socks stickers"
        ),
    ),
    *on(
        "discord.com ptb.discord.com canary.discord.com discordapp.com",
        {"/channels/{guild:[0-9]+}/{channel:[0-9]+}/*": "/discord/channel/{channel}"},
    ),
    *on(
        "tiktok.com m.tiktok.com",
        {
            "/@{user}/live": "/tiktok/live/@{user}",
            "/@{user}/*": "/tiktok/user/@{user}",
        },
    ),
    *on_people(
        "plurk.com",
        {"/{user:[A-Za-z0-9_]+}": "/plurk/user/{user}"},
        reserved=(
            "about anonymous api brands help login logout m news p portal privacy search settings signup terms top"
        ),
    ),
    *on(
        "bsky.app",
        {"/profile/{handle}/*": "/bsky/profile/{handle}"},
    ),
    *on(
        "dcard.tw",
        {"/f/{section:[a-z0-9_]+}/*": "/dcard/{section}"},
    ),
    *on_people(
        "mirror.xyz",
        {"/{id:[A-Za-z0-9.-]+}/*": "/mirror/{id}"},
        reserved=("about account blog browse contact dashboard explore login privacy search settings subscribe terms"),
    ),
)
