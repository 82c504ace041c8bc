"""The words in paths, queries and titles that show which part of a site a feed covers. Data for `kinds.py`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from feedward.discovery.candidate import Kind

_CATEGORIES = """term category categories cat cats catégorie catégories categorie categoria categorias categoría
    categorías kategorie kategorien kategori kategoria kategorier rubrik rubriken rubrique rubriques kategória"""
_TAGS = """tag tags tagged label labels etiqueta etiquetas etiquette etiquettes étiquette mot-cle mots-cles
    schlagwort schlagworte hashtag hashtags trefwoord stichwort stikkord avainsana"""
_AUTHORS = """author authors auteur auteurs autor autores autoren autore autori writer writers byline contributor
    contributors columnist columnists forfatter författare"""
_TOPICS = "topic topics subject subjects theme themes thema themen thread threads sujet tema temas"
_SECTIONS = "section sections ressort seccion sección sezione secao seção department departments"
_PROFILE_SEGMENTS = "user users u profile profiles member members people"
_SEARCH_WORDS = "search suche recherche buscar busca busqueda búsqueda cerca ricerca zoeken sok sök haku"
_SEARCH_QUERIES = "s q query search searchword search_query keywords suche recherche buscar"
_COMMENT_WORDS = """comments newcomments wp-commentsrss2 commentsrss commentsrss2 commentrss commentsfeed
    commentfeed kommentare commentaires comentarios comentários commenti reacties komentarze kommentarer kommentit
    komentáře комментарии"""
_COMMENT_FILLERS = """comment feed feeds rss rss2 atom rdf xml json php html index default full recent latest new
    all site posts post wp get view list"""
_FILLER_SEGMENTS = """blog blogs weblog news posts post articles article journal log writing writings stories story
    updates press magazine archive archives latest all main home site web www public static files media assets
    content api v1 v2 feed feeds rss rss2 atom xml rdf json wp wordpress index index.php syndication out export
    publish podcast podcasts noticias actualites actualités nachrichten aktuelles aktuell nyheter nieuws notizie
    novosti blogg bloghome newsroom announcements changelog bitacora bitácora blogue neuigkeiten aktualnosci aktualności
    блог новости новини 博客 ブログ"""
_PAGE_WORDS = """about contact impressum imprint privacy datenschutz legal terms login signup register subscribe
    newsletter search faq help support docs documentation team jobs careers shop store pricing now uses projects
    portfolio resume cv links colophon sitemap download downloads features index explore discover trending popular
    settings account donate sponsor kontakt über ueber about-us a-propos acerca contatti"""

SEGMENT_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(_SECTIONS.split(), Kind.SECTION),
    **dict.fromkeys(_TOPICS.split(), Kind.TOPIC),
    **dict.fromkeys(_AUTHORS.split(), Kind.AUTHOR),
    **dict.fromkeys(_TAGS.split(), Kind.TAG),
    **dict.fromkeys(_CATEGORIES.split(), Kind.CATEGORY),
}
"""A path segment that determines the meaning of the next one."""

PROFILE_SEGMENTS = frozenset(_PROFILE_SEGMENTS.split())
"""A path segment before a person's name, where the person's pages are a separate site."""

QUERY_KINDS: Mapping[str, Kind] = {
    "cat": Kind.CATEGORY,
    "category": Kind.CATEGORY,
    "category_name": Kind.CATEGORY,
    "categories": Kind.CATEGORY,
    "catid": Kind.CATEGORY,
    "tag": Kind.TAG,
    "tags": Kind.TAG,
    "tagnames": Kind.TAG,
    "label": Kind.TAG,
    "labels": Kind.TAG,
    "author": Kind.AUTHOR,
    "author_name": Kind.AUTHOR,
    "topic": Kind.TOPIC,
    "section": Kind.SECTION,
}
"""A query parameter whose value names the part."""

SEARCH_WORDS = frozenset(_SEARCH_WORDS.split())
SEARCH_QUERIES = frozenset(_SEARCH_QUERIES.split())

COMMENT_WORDS = frozenset(_COMMENT_WORDS.split())
COMMENT_FILLERS = frozenset(_COMMENT_FILLERS.split())
"""Other words in a segment that means comments: `recent-comments.xml` does, `reader-comments-on-tea` does not."""

FILLER_SEGMENTS = frozenset(_FILLER_SEGMENTS.split())
"""Directories with a site's main feed: they are not sections."""

PAGE_WORDS = frozenset(_PAGE_WORDS.split())
"""Single pages that are not sections."""

LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4})?")

COMMENT_TITLE = re.compile(
    r"^comments? (?:on|for|to)\b|\bcomments? feed$|[»>|:–—-] ?comments$|^(?:all |site |recent |latest |new )?comments$"
    r"|^(?:recent|latest|new) comments\b"
    r"|^kommentare (?:zu|für)\b|\bkommentar-?feed$|^commentaires (?:sur|pour)\b|\bflux (?:des|pour les) commentaires\b"
    r"|^coment[aá]rios? (?:en|de|para|em|sobre|a)\b|\bfeed de (?:los )?coment[aá]rios\b|^commenti (?:a|su|per)\b"
    r"|\bfeed dei commenti\b|^reacties (?:op|voor)\b|\breactiesfeed$|^komentarze do\b|^kommentarer (?:till|til|på)\b"
    r"|^комментарии(?: (?:к|на|для)\b|:)|\bлента комментариев$|^коментар(?:і|и)(?: (?:до|за|към|від|от|на)\b|:)"
    r"|^yorumlar\b|\bi[cç]in yorumlar$|\byorum (?:akışı|beslemesi)$|\bkommentarsflöde$|^kommentar(?:er|feed) f[oö]r\b"
    r"|^hozzászólás(?:ok)?:|\bhozzászólás (?:hírcsatorna|rss)\b|^hozzászólások\b|^σχόλια\b|\bροή σχολίων\b"
    r"|^komentáře(?: (?:pro|k|ke|u|na)\b|:|$)|\bkanál komentářů\b|\brss komentářů\b|^komentáre(?: (?:k|na|pre)\b|:|$)"
    r"|\bkanał z komentarzami$|^kommentit\b|\bkommenttien syöte\b|^comentarii(?: (?:la|pentru)\b|:|$)"
    r"|^comentaris (?:a|de)\b"
    r"|^bình luận\b|\bdòng phản hồi\b|^komentar (?:untuk|pada|di)\b|\bumpan komentar$"
    r"|^תגובות\b|\bתגובות$|^تعليقات\b|\bخلاصة التعليقات\b|^(?:دیدگاه|نظرات)"
    r"|のコメント|コメントフィード|^コメント|へのコメント|的评论|评论 ?feed$"
    r"|에 대한 댓글|의 댓글|댓글 ?피드|^댓글$",
    re.IGNORECASE,
)
"""The names of comment feeds in WordPress and other systems, in the most frequent languages."""

TITLE_KINDS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"[»>|:–—-] ?[^»>|]{1,200} (?:category|kategorie-) ?feed$", re.IGNORECASE), Kind.CATEGORY),
    (re.compile(r"[»>|:–—-] ?[^»>|]{1,200} (?:tag|schlagwort-) ?feed$", re.IGNORECASE), Kind.TAG),
    (re.compile(r"[»>|:–—-] ?posts by [^»>|]{1,200} feed$|^posts by \S", re.IGNORECASE), Kind.AUTHOR),
    (re.compile(r"^search results\b|[»>|:–—-] ?search results for\b", re.IGNORECASE), Kind.SEARCH),
)
"""Words in a title that count if the URL shows no kind."""
