"""Bot walls as sites send them, and pages that only look like one; all made up."""

from __future__ import annotations


def wall(head: str, body: str = "") -> str:
    return f"<!doctype html><html><head><title>One moment</title>{head}</head><body>{body}</body></html>"


WALLS = {
    "Anubis": wall(
        '<script id="anubis_challenge" type="application/json">{}</script>',
        "<h1>Making sure you're not a bot!</h1><script src='/.within.website/x/cmd/anubis/static/main.mjs'></script>",
    ),
    "Anubis below a path": wall('<link rel=stylesheet href="/git/.within.website/x/xess/xess.min.css">', "<p>Loading"),
    "Cloudflare": wall(
        "<script>(function(){window._cf_chl_opt = {cvId: '3'};a.src = '/cdn-cgi/challenge-platform/h/g/orchestrate/x'"
        "}())</script>",
        "<noscript>Enable JavaScript and cookies to continue</noscript>",
    ),
    "Cloudflare, earlier": wall(
        "", '<form id="challenge-form" action="/feed?__cf_chl_jschl_tk__=1"><input name="jschl_answer"></form>'
    ),
    "Sucuri": "<html><title>You are being redirected...</title><noscript>Javascript is required.</noscript>"
    "<script>var s={},e=eval,sucuri_cloudproxy_js='',S='dT0i';</script></html>",
    "SiteGround": '<html><head><link rel="icon" href="data:;"><meta http-equiv="refresh" '
    'content="0;/.well-known/sgcaptcha/?r=%2Ffeed.xml&y=ipc:1"></meta></head></html>',
    "Imperva": '<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"></head><body><iframe '
    'id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=23&xinfo=1">Request unsuccessful. Incapsula incident ID: 1'
    "</iframe></body></html>",
    "Imperva, earlier": '<html><head><META NAME="robots" CONTENT="noindex,nofollow"><script src="/_Incapsula_Resource?'
    'SWJIYLWA=5074a744"></script><body></body></html>',
    "go-away": wall(
        '<link rel="stylesheet" href="/.well-known/.git.gammaspectra.live/git/go-away/cmd/go-away/assets/style.css">',
        "<p>Checking you are not a bot",
    ),
    "go-away, by refresh": wall('<meta http-equiv="refresh" content="0; url=/feed?__goaway_challenge=meta-refresh">'),
    "DataDome": wall("<script src='https://ct.captcha-delivery.com/c.js'></script>"),
    "testcookie": '<html><body><script src="/aes.js"></script><script>var a=toNumbers("f6");document.cookie="__test="'
    '+a;location.href="https://a.example/?i=1";</script></body></html>',
    "AWS WAF": wall("<script>window.gokuProps = {key: 'k'};</script><script src='https://x.y.token.awswaf.com/c.js'>"),
}
LONG = "<p>Anubis weighs the soul of a connection, and asks it to prove its work. </p>" * 60
NO_WALLS = {
    "an article about them": f"""<html><body><h1>How it works</h1>
        <pre>&lt;script src="/.within.website/x/cmd/anubis/static/js/main.mjs"></pre>
        <p>Sucuri sets sucuri_cloudproxy_js, Cloudflare _cf_chl_opt. <a href="/.well-known/sgcaptcha/">See</a>{LONG}""",
    "a short note about them": "<html><body><p>Our feed now shows sucuri_cloudproxy_js and _Incapsula_Resource.",
    "a long page with its script": wall('<script src="/.within.website/x/cmd/anubis/static/js/x.js"></script>', LONG),
    "a picture of another host": wall(
        "", '<img src="https://w.example/.within.website/x/cmd/anubis/static/happy.png">'
    ),
    "a served page of Cloudflare": wall(
        "", "<p>Hi<script>a.src='/cdn-cgi/challenge-platform/scripts/jsd/m.js'</script>"
    ),
    "an app shell behind Imperva": wall(
        '<script src="/_Incapsula_Resource?SWJIYLWA=1"></script><script src="/app.js"></script>', "<div id=root></div>"
    ),
    "a page that names its feed": wall(
        '<link rel="alternate" type="application/rss+xml" href="/f"><script>window._cf_chl_opt={}</script>'
    ),
    "data in a script": wall('<script type="application/ld+json">{"name": "_cf_chl_opt"}</script>', "<p>Hello"),
    "a feed": '<?xml version="1.0"?><rss><channel><title>sucuri_cloudproxy_js</title><description>&lt;script>window.'
    "_cf_chl_opt = {}&lt;/script></description></channel></rss>",
    "a feed with markup": '<feed><entry><content type="xhtml"><script>window._cf_chl_opt = {}</script></content>',
    "JSON": '{"title": "_cf_chl_opt"}',
    "nothing": "",
}
