"""RSSHub's routes for code and software on hosts without feeds."""

from __future__ import annotations

from feedward.discovery.platforms.github import GITHUB_PAGES
from feedward.discovery.rsshub.rule import Route, on, on_people

_REPO = "{owner:[A-Za-z0-9_.-]+}/{repo:[A-Za-z0-9_.-]+}"

ROUTES: tuple[Route, ...] = (
    *on_people(
        "github.com",
        {
            "/trending/{language}?since={since:daily|weekly|monthly}": "/github/trending/{since}/{language}",
            "/trending?since={since:daily|weekly|monthly}": "/github/trending/{since}/any",
            "/trending/{language}": "/github/trending/daily/{language}",
            "/trending": "/github/trending/daily/any",
            "/topics/{topic}/*": "/github/topics/{topic}",
            f"/{_REPO}/issues/{{number:[0-9]+}}/*": "/github/comments/{owner}/{repo}/{number}",
            f"/{_REPO}/pull/{{number:[0-9]+}}/*": "/github/comments/{owner}/{repo}/{number}",
            f"/{_REPO}/issues/*": "/github/issue/{owner}/{repo}",
            f"/{_REPO}/pulls/*": "/github/pull/{owner}/{repo}",
            f"/{_REPO}/discussions/*": "/github/discussion/{owner}/{repo}",
            f"/{_REPO}/stargazers/*": "/github/stars/{owner}/{repo}",
            f"/{_REPO}/branches/*": "/github/branches/{owner}/{repo}",
            f"/{_REPO}/graphs/contributors": "/github/contributors/{owner}/{repo}",
            f"/{_REPO}/wiki/*": "/github/wiki/{owner}/{repo}",
            f"/{_REPO}/blob/{{branch}}/{{file}}": "/github/file/{owner}/{repo}/{branch}/{file}",
            "/{user:[A-Za-z0-9-]+}?tab=followers": "/github/user/followers/{user}",
            "/{user:[A-Za-z0-9-]+}?tab=stars": "/github/starred_repos/{user}",
            "/{user:[A-Za-z0-9-]+}": "/github/repos/{user}",
        },
        reserved=" ".join(GITHUB_PAGES),
    ),
    *on(
        "gist.github.com",
        {"/{user:[A-Za-z0-9-]+}/{id:[0-9a-f]+}/*": "/github/gist/{id}"},
        reserved=" ".join(GITHUB_PAGES),
    ),
    *on_people(
        "gitee.com",
        {
            f"/{_REPO}/releases/*": "/gitee/releases/{owner}/{repo}",
            f"/{_REPO}/commits/*": "/gitee/commits/{owner}/{repo}",
            f"/{_REPO}": "/gitee/commits/{owner}/{repo}",
        },
        reserved=(
            "all enterprises gists gitee-go gitee-stars mentorship opensource organizations premium profile repos "
            "education stars watching zh-cn"
        ),
    ),
    *on(
        "hub.docker.com",
        {
            "/r/{owner}/{image}/tags/*": "/dockerhub/tag/{owner}/{image}",
            "/r/{owner}/{image}/*": "/dockerhub/build/{owner}/{image}",
            "/_/{image}/*": "/dockerhub/build/library/{image}",
        },
    ),
    *on(
        "chromewebstore.google.com",
        {
            "/detail/{name}/{id:[a-z]+}/*": "/chrome/webstore/extensions/{id}",
            "/detail/{id:[a-z]+}": "/chrome/webstore/extensions/{id}",
        },
    ),
)
