"""RSSHub's routes for newspapers, laboratories and research."""

from __future__ import annotations

from feedward.discovery.rsshub.rule import Route, on

# A section's name. Articles end in a date or a number, and have more words.
_SECTION = "[a-z]+(?:-[a-z]+)*"
_REUTERS = "world|business|legal|markets|breakingviews|technology|sustainability|science|sports|lifestyle|graphics"

ROUTES: tuple[Route, ...] = (
    *on(
        "reuters.com",
        {
            f"/{{list:authors|tags}}/{{name:{_SECTION}}}": "/reuters/{list}/{name}",
            f"/{{category:{_REUTERS}}}/{{topic:{_SECTION}}}/*": "/reuters/{category}/{topic}",
            f"/{{category:{_REUTERS}}}/*": "/reuters/{category}",
        },
    ),
    *on("apnews.com", {"/{place:hub|topics?}/{topic}": "/apnews/topics/{topic}"}),
    *on("nytimes.com", {"/by/{author}/*": "/nytimes/author/{author}"}),
    *on(
        "bloomberg.com",
        {
            "/authors/{id}/{slug}/*": "/bloomberg/authors/{id}/{slug}",
            "/{site:politics|technology|markets|industries|businessweek|economics|opinion|wealth|crypto|green}": (
                "/bloomberg/{site}"
            ),
        },
    ),
    *on(
        "economist.com",
        {f"/{{section:{_SECTION}}}": "/economist/{section}"},
        reserved=(
            "1843 about api apps audio-edition contact graphs help jobs login podcasts privacy search subscribe "
            "weeklyedition"
        ),
    ),
    *on(
        "theatlantic.com",
        {f"/{{section:{_SECTION}}}": "/theatlantic/{section}"},
        reserved="archive author search sitemap subscribe",
    ),
    *on(
        "newyorker.com",
        {f"/{{section:{_SECTION}}}": "/newyorker/{section}"},
        reserved="about account contributors newsletter newsletters search sitemap store subscribe",
    ),
    *on("anthropic.com", {"/{page:news|research|engineering}/*": "/anthropic/{page}"}),
    *on("red.anthropic.com", {"/": "/anthropic/red"}),
    *on("deepmind.com deepmind.google", {"/blog/*": "/deepmind/blog", "/discover/blog/*": "/deepmind/blog"}),
    *on(
        "openai.com",
        {"/research/*": "/openai/research", "/{place:news|blog|index}/*": "/openai/news"},
    ),
    *on("ai.meta.com", {"/blog/*": "/meta/ai/blog"}),
    *on("huggingface.co", {"/papers/*": "/huggingface/daily-papers", "/blog/zh/*": "/huggingface/blog-zh"}),
    *on("researchgate.net", {"/profile/{name}/*": "/researchgate/publications/{name}"}),
    *on(
        "scholar.google.com",
        {"/citations?user={id}": "/google/citations/{id}", "/scholar?q={query}": "/google/scholar/{query}"},
    ),
    *on("nature.com", {"/{journal:[a-z]+}/research-articles": "/nature/research/{journal}"}),
)
