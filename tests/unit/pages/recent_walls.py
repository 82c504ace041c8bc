"""Bot walls of services and plugins, and pages that begin like them; all made up."""

from __future__ import annotations


def page(title: str, body: str, head: str = "") -> str:
    return f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


RECENT_WALLS = {
    "Vercel, by its title": page(
        "Vercel Security Checkpoint",
        "<p>We're verifying your browser</p><a href='https://vercel.link/x'>Website owner?</a><script>x()</script>",
    ),
    "CleanTalk": page(
        "Blacklisted",
        "<h1>Anti-Crawler Protection</h1><p>is checking your browser and IP 192.0.2.1 for spam bots</p>"
        "<script>setTimeout(function(){document.cookie='a=b';location.reload()},3000)</script>",
    ),
    "CleanTalk, by its cookie": page("", "<script>document.cookie='apbct_antibot=ab';location.reload()</script>"),
    "WP Cerber": page(
        "Access forbidden",
        "<h1>We're sorry, you are not allowed to proceed</h1><p>Your request looks suspicious or similar to automated"
        " requests from spam posting software.</p>",
    ),
    "Radware": page(
        "Radware Page",
        "<h1>We apologize for the inconvenience...</h1><p>...but your activity and behavior on this site made us think"
        " that you are a bot.</p>",
    ),
    "Radware, by its script": page("", "<script>window.location='https://validate.perfdrive.com/?ssa=x'</script>"),
    "Weibo": page(
        "Sina Visitor System", "<script src='https://passport.weibo.com/js/visitor/mini.js?v=1'></script><span></span>"
    ),
    "Baidu": page("百度安全验证", "<p>网络不给力，请稍后重试</p><script src='/machine/a.js'></script>"),
    "Reddit's network policy": page(
        "Blocked", "<h1>whoa there, pardner!</h1><p>Your request has been blocked due to a network policy.</p>"
    ),
    "Shopify": page(
        "Verifying your connection...",
        "<p>Your connection needs to be verified before you can proceed</p><script src='/captcha.js'></script>",
    ),
    "CloudFront": page(
        "ERROR: The request could not be satisfied",
        "<h1>403 ERROR</h1><h2>The request could not be satisfied.</h2><hr>Request blocked. We can't connect to it.",
    ),
    "mCaptcha": page(
        "Verify", "<form><div id='mcaptcha__widget-container'></div><script src='/glue.js'></script></form>"
    ),
    "powxy": page(
        "Proof-of-work challenge",
        "<h1>Proof-of-work challenge</h1><p>This site is protected by Powxy.</p><form><input type=text></form>",
    ),
    "Anubis, with a refresh": page(
        "Making sure you&#39;re not a bot!",
        "<h1>Making sure you're not a bot!</h1><p>Loading...</p>",
        "<meta http-equiv=refresh content='1; url=/.within.website/x/cmd/anubis/api/pass-challenge?redir=/feed'>",
    ),
    "Anubis, a refusal": page(
        "Oh noes!",
        "<h1>Oh noes!</h1><p>Access Denied: error code 1a2b.</p>",
        "<link rel=stylesheet href='/.within.website/x/xess/xess.min.css?cachebuster=1.19.1'>",
    ),
}
STORIES = {
    "a story about a refusal": page("Whoa there", "<h1>Whoa there</h1><p>said the pardner, and rode on.</p>"),
    "a shop": page("Verifying your connection speed", "<p>How to measure it.</p><script>a()</script>"),
    "a page about proofs": page(
        "Proof-of-work challenge", "<h1>Proof-of-work challenge</h1><p>A talk about hashes.</p>"
    ),
    "a post about Vercel": page(
        "Vercel Security Checkpoint: what it is", "<p>It checks browsers.</p><script>count()</script>"
    ),
    "an apology": page(
        "News", "<p>We apologize for the inconvenience... The bridge is closed.</p><script>a()</script>"
    ),
}
