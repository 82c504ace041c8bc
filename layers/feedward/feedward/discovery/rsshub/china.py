"""RSSHub's routes for Chinese networks and media, which have few feeds of their own."""

from __future__ import annotations

from feedward.discovery.rsshub.rule import Route, on, on_people

_UID = "{uid:[0-9]+}"

ROUTES: tuple[Route, ...] = (
    *on(
        "space.bilibili.com",
        {
            f"/{_UID}/favlist?fid={{fid:[0-9]+}}": "/bilibili/fav/{uid}/{fid}",
            f"/{_UID}/favlist/*": "/bilibili/user/fav/{uid}",
            f"/{_UID}/channel/collectiondetail?sid={{sid:[0-9]+}}": "/bilibili/user/collection/{uid}/{sid}",
            f"/{_UID}/channel/seriesdetail?sid={{sid:[0-9]+}}": "/bilibili/user/channel/{uid}/{sid}",
            f"/{_UID}/lists/{{sid:[0-9]+}}?type=series": "/bilibili/user/channel/{uid}/{sid}",
            f"/{_UID}/lists/{{sid:[0-9]+}}/*": "/bilibili/user/collection/{uid}/{sid}",
            f"/{_UID}/dynamic/*": "/bilibili/user/dynamic/{uid}",
            f"/{_UID}/article/*": "/bilibili/user/article/{uid}",
            f"/{_UID}/upload/opus/*": "/bilibili/user/article/{uid}",
            f"/{_UID}/bangumi/*": "/bilibili/user/bangumi/{uid}",
            f"/{_UID}/*": "/bilibili/user/video/{uid}",
        },
    ),
    *on("m.bilibili.com", {f"/space/{_UID}/*": "/bilibili/user/video/{uid}"}),
    *on(
        "live.bilibili.com",
        {"/h5/{room:[0-9]+}": "/bilibili/live/room/{room}", "/{room:[0-9]+}": "/bilibili/live/room/{room}"},
    ),
    *on("manga.bilibili.com", {"/detail/mc{id:[0-9]+}/*": "/bilibili/manga/update/{id}"}),
    *on("search.bilibili.com", {"/{tab:all|video}?keyword={keyword}": "/bilibili/vsearch/{keyword}"}),
    *on(
        "bilibili.com",
        {
            "/v/popular/rank/{rid:[a-z]+}/*": "/bilibili/ranking/{rid}",
            "/ranking/*": "/bilibili/ranking/all",
            "/v/popular/weekly/*": "/bilibili/weekly",
            "/v/popular/all/*": "/bilibili/popular/all",
            "/bangumi/media/md{id:[0-9]+}/*": "/bilibili/bangumi/media/{id}",
            "/read/readlist/rl{id:[0-9]+}/*": "/bilibili/readlist/{id}",
        },
    ),
    *on(
        "weibo.com weibo.cn m.weibo.cn m.weibo.com",
        {
            "/p/{id:[0-9a-z]+}/super_index": "/weibo/super_index/{id}",
            "/{place:u|profile}/{uid:[0-9]+}/*": "/weibo/user/{uid}",
            "/{uid:[0-9]+}/*": "/weibo/user/{uid}",
        },
    ),
    *on(
        "s.weibo.com",
        {"/top/summary/*": "/weibo/search/hot", "/weibo?q={keyword}": "/weibo/keyword/{keyword}"},
    ),
    *on(
        "zhihu.com",
        {
            "/people/{id}/answers/*": "/zhihu/people/answers/{id}",
            "/people/{id}/posts/*": "/zhihu/posts/people/{id}",
            "/people/{id}/pins/*": "/zhihu/people/pins/{id}",
            "/people/{id}/collections/*": "/zhihu/people/allCollections/{id}",
            "/people/{id}/*": "/zhihu/people/activities/{id}",
            "/org/{id}/posts/*": "/zhihu/posts/org/{id}",
            "/question/{id:[0-9]+}/*": "/zhihu/question/{id}",
            "/collection/{id:[0-9]+}/*": "/zhihu/collection/{id}",
            "/topic/{id:[0-9]+}/*": "/zhihu/topic/{id}",
            "/column/{id}/*": "/zhihu/zhuanlan/{id}",
            "/hot/*": "/zhihu/hot",
        },
    ),
    *on_people(
        "zhuanlan.zhihu.com",
        {"/{id:[A-Za-z0-9_-]+}": "/zhihu/zhuanlan/{id}"},
        reserved="about api hot login p search signin terms write",
    ),
    *on("daily.zhihu.com", {"/": "/zhihu/daily"}),
    *on("douyin.com", {"/user/{id}/*": "/douyin/user/{id}", "/hashtag/{id:[0-9]+}/*": "/douyin/hashtag/{id}"}),
    *on("live.douyin.com", {"/{room:[0-9]+}": "/douyin/live/{room}"}),
    *on(
        "xiaohongshu.com",
        {
            "/user/profile/{id:[0-9a-f]+}/*": "/xiaohongshu/user/{id}/notes",
            "/board/{id:[0-9a-f]+}/*": "/xiaohongshu/board/{id}",
        },
    ),
    *on("kuaishou.com", {"/profile/{id}/*": "/kuaishou/profile/{id}"}),
    *on(
        "v2ex.com cn.v2ex.com global.v2ex.com",
        {
            "/t/{id:[0-9]+}": "/v2ex/post/{id}",
            "/go/{node}/*": "/v2ex/go/{node}",
            "/?tab={tab:[a-z]+}": "/v2ex/tab/{tab}",
            "/": "/v2ex/topics/latest",
        },
    ),
    *on(
        "sspai.com",
        {
            "/u/{id}/updates/*": "/sspai/activity/{id}",
            "/u/{id}/*": "/sspai/author/{id}",
            "/column/{id:[0-9]+}/*": "/sspai/column/{id}",
            "/topic/{id:[0-9]+}/*": "/sspai/topic/{id}",
            "/tag/{tag}/*": "/sspai/tag/{tag}",
            "/series/{id:[0-9]+}/*": "/sspai/series/{id}",
            "/{page:matrix|series|index|topics}/*": "/sspai/{page}",
        },
    ),
    *on(
        "juejin.cn",
        {
            "/user/{id:[0-9]+}/*": "/juejin/posts/{id}",
            "/column/{id:[0-9]+}/*": "/juejin/column/{id}",
            "/tag/{tag}/*": "/juejin/tag/{tag}",
            "/collection/{id:[0-9]+}/*": "/juejin/collection/{id}",
        },
    ),
    *on(
        "jianshu.com",
        {"/u/{id}/*": "/jianshu/user/{id}", "/c/{id}/*": "/jianshu/collection/{id}", "/": "/jianshu/home"},
    ),
    *on_people("blog.csdn.net", {"/{user}/*": "/csdn/blog/{user}"}, reserved="article nav phoenix rss"),
    *on(
        "douban.com",
        {"/people/{id}/*": "/douban/people/{id}/status", "/group/{id}/*": "/douban/group/{id}"},
    ),
    *on("tieba.baidu.com", {"/f?kw={name}": "/baidu/tieba/forum/{name}", "/p/{id:[0-9]+}": "/baidu/tieba/post/{id}"}),
    *on(
        "music.163.com y.music.163.com",
        {
            "/{kind:playlist|artist|djradio}?id={id:[0-9]+}": "/163/music/{kind}/{id}",
            "/m/{kind:playlist|artist|djradio}?id={id:[0-9]+}": "/163/music/{kind}/{id}",
        },
    ),
    *on("web.okjike.com", {"/u/{id}/*": "/jike/user/{id}", "/topic/{id}/*": "/jike/topic/{id}"}),
    *on("m.okjike.com", {"/users/{id}/*": "/jike/user/{id}", "/topics/{id}/*": "/jike/topic/{id}"}),
    *on("coolapk.com", {"/u/{id:[0-9]+}/*": "/coolapk/user/{id}/dynamic"}),
    *on("acfun.cn", {"/u/{id:[0-9]+}/*": "/acfun/user/video/{id}"}),
    *on("douyu.com", {"/{room:[0-9]+}": "/douyu/room/{room}"}),
    *on_people(
        "huya.com",
        {"/{room:[A-Za-z0-9_]+}": "/huya/live/{room}"},
        reserved="about g help l login m search video",
    ),
    *on(".lofter.com", {"/*": "/lofter/user/{sub}"}),
    *on("toutiao.com", {"/c/user/token/{token}/*": "/toutiao/user/token/{token}"}),
    *on(
        "mp.weixin.qq.com", {"/mp/appmsgalbum?__biz={biz}&album_id={album:[0-9]+}": "/wechat/mp/msgalbum/{biz}/{album}"}
    ),
    *on("xueqiu.com", {"/u/{id:[0-9]+}/*": "/xueqiu/user/{id}", "/S/{stock}/*": "/xueqiu/stock_info/{stock}"}),
    *on("36kr.com", {"/newsflashes/*": "/36kr/newsflashes", "/user/{id:[0-9]+}/*": "/36kr/user/{id}"}),
    *on(
        "huxiu.com",
        {"/member/{id:[0-9]+}/*": "/huxiu/author/{id}", "/article/": "/huxiu/article", "/moment/*": "/huxiu/moment"},
    ),
    *on("cls.cn", {"/telegraph/*": "/cls/telegraph"}),
    *on("wallstreetcn.com", {"/live/{channel:[a-z-]+}/*": "/wallstreetcn/live/{channel}"}),
    *on("thepaper.cn", {"/channel_{id:[0-9]+}": "/thepaper/channel/{id}"}),
    *on("zaobao.com zaobao.com.sg", {"/realtime/{section:[a-z]+}/*": "/zaobao/realtime/{section}"}),
    *on("bgm.tv bangumi.tv chii.in", {"/subject/{id:[0-9]+}/*": "/bangumi.tv/subject/{id}"}),
    *on_people(
        "yuque.com", {"/{team}/{book}": "/yuque/{team}/{book}"}, reserved="about api explore help login r settings"
    ),
)
