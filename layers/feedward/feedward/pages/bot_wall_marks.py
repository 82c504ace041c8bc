"""The marks of each known bot wall product (rule H1). Every pattern is of lower-case text."""

from __future__ import annotations

import re
from typing import Final

# Paths of the site itself: a page about walls shows those of another host.
_OWN_PATHS = "|".join((
    r"\.within\.website/x/(?:cmd/anubis|xess)/",  # Anubis
    r"cdn-cgi/challenge-platform/(?!scripts/|h/[a-z]/scripts/)",  # Cloudflare; its scripts/ are on served pages too
    r"cdn-cgi/l/chk_",
    r"\.well-known/(?:sg)?captcha/",  # SiteGround
    r"\.well-known/\.[a-z0-9./-]{1,80}/go-away/",
    r"\.well-known/ddos-guard/|\.ddos-guard/|ddos-guard/js-challenge",
    r"\.well-known/vercel/security/",
    r"\.basedflare/|_bot-check",  # haproxy-protection
    r"\.cerberus/",
    r"\.lsrecap/",  # LiteSpeed
    r"_sec/cp_challenge/|_sec/verify\?provider=",  # Akamai
    r"tspd/",  # BIG-IP
    r"_fs-ch-[a-z0-9]{1,40}/",  # Fastly
    r"__qrator/",
    r"blzgfst-shark/",  # BlazingFast
    r"sbbi/\?sbbpg=",  # StackPath
    r"distil_r_captcha\.html",  # Imperva, once Distil
    r"checkcaptcha\?key=|showcaptcha\?",  # Yandex
    r"errors/validatecaptcha",  # Amazon
    r"\.safeline/",
    r"hcdn-cgi/jschallenge",  # Hostinger
))  # fmt: skip
_OWN_PATH = rf"(?:/(?!/)[^\"'>\s:]{{0,100}})?/?(?:{_OWN_PATHS})"
# The target of a tag's src, action or stylesheet, or of its refresh.
URL_OF_A_WALL: Final = re.compile(rf"{_OWN_PATH}|[^\s]*[?&](?:bm-verify|__goaway_[a-z]+|__cf_chl_[a-z_]+)=")
# The source of a wall's script or frame.
HOST_OF_A_WALL: Final = re.compile(
    r"(?:https?:)?//(?:(?:ct|geo)\.captcha-delivery\.com/|[a-z0-9.-]+\.captcha\.awswaf\.com/"
    r"|validate\.perfdrive\.com/|passport\.weibo\.com/(?:js/)?visitor/"
    r"|captcha\.(?:px-cdn|px-cloud|perfdrive)\.(?:net|com)/|www\.google\.com/recaptcha/challengepage/)"
)
# An id, a name or a class: a whole word of the attribute.
NAME_OF_A_WALL: Final = re.compile(
    r"(?:^|\s)(?:anubis_(?:challenge|version|base_prefix|public_url)|px-captcha|jschl[-_]answer|sec-cpt-if|sec-if-cpt-\w+"
    r"|aliyun_waf_\w+|id_captcha_frame_div|distilidentificationblock|interstitial-inprogress|__goaway_\w+)(?:\s|$)"
)
IN_CODE: Final = re.compile(
    rf"^{_OWN_PATH}|\b_cf_chl_(?:opt|ctx)\b|__cf_chl_|sucuri_cloudproxy_js|__goaway_"
    r"|(?:ct|geo)\.captcha-delivery\.com"  # DataDome
    r"|/captcha\.js\?a=c\b|\b_?pxcaptchasrc\b"  # HUMAN
    r"|\bgokuprops\b|captchascript\.rendercaptcha"  # AWS WAF
    r"|\bwsidchk\b"  # Imunify360
    r"|acw_sc__v[23]"  # Alibaba Cloud
    r"|\bbobcmn\b"  # BIG-IP
    r"|\bkpsdk\.start\s?="  # Kasada
    r"|\brbzns\s?="  # Reblaze
    r"|\b__tst_status\b|\beo_bot_ssid\b"  # EdgeOne
    r"|\bslowaes\.decrypt\b"  # testcookie
    r"|\b__arcsjs"  # Arvan Cloud
    r"|\bhumans_[0-9]+=1\b"  # a cookie of shared hosts
    r"|\.queue-it\.net/\?c="
    r"|\bdeflect_challenge"
    r"|\bget_cookie_spsc"  # Servicepipe
    r"|\bdistil_referrer\b"
    r"|(?:afd|appgw)_azwaf_"  # Azure
    r"|[?&]btwaf="  # BaoTa
    r"|\bsafelinechallenge\("
    r"|_bproxy_v\b"  # balooProxy
    r"|\bvalidate\.perfdrive\.com\b"  # Radware
    r"|\bapbct_anti(?:bot|crawler|flood)"  # CleanTalk
)
# These are on served pages too: a wall is a page with nothing else.
ON_SERVED_PAGES_TOO: Final = re.compile(
    r"_incapsula_resource|\bonprotectioninitialized\b"  # Imperva
    r"|awswafintegration|\.awswaf\.com/"
    r"|/ips\.js\?"  # Kasada
    r"|\bcheck\.ddos-guard\.net/"
    r"|\.bunny-shield/"
    r"|\.arkoselabs\.com/|\.geetest\.com/|\binitgeetest4?\("
)
# The elements in which a captcha is rendered.
CAPTCHA: Final = re.compile(
    r"(?:^|\s)(?:[gh]-captcha|g-recaptcha|cf-turnstile|frc-captcha|smart-captcha|geetest_\w+|mcaptcha__[\w-]+)(?:\s|$)"
)
CAPTCHA_IN_CODE: Final = re.compile(r"\b(?:turnstile|hcaptcha|grecaptcha)\.render\(")
CAPTCHA_TAGS: Final = frozenset(["altcha-widget", "cap-widget"])
# A page without other text begins with one of these: a page about walls begins with its own words.
REFUSALS: Final = re.compile(
    r"the requested url was rejected\. please consult with your administrator\. ?your support id is"  # BIG-IP
    r"|sucuri website firewall - access denied"
    r"|request unsuccessful\. incapsula incident id: [0-9]"
    r"|your access to this (?:site|service) has been limited (?:by the site owner )?your access to this service"
    r"|pardon our interruption(?:\.{3})? as you were browsing"
    r"|(?:please enable cookies\. )?sorry, you have been blocked you are unable to access"
    r"|access denied you don't have permission to access \"?https?"  # Akamai
    r"|we(?:'re| are) sorry, you are not allowed to proceed your request looks suspicious"  # WP Cerber
    r"|we apologize for the inconvenience\.{3} \.{3}but your activity and behavior on this site made us think that you"
    r"|whoa there, pardner! (?:your request|we)"  # Reddit
    r"|(?:403 error )?the request could not be satisfied\. request blocked"  # CloudFront
    r"|proof-of-work challenge this site is protected by "
    r"|web page blocked! the page cannot be displayed\. please contact the administrator"  # FortiWeb
)
# A page of an unknown product begins with one of these, and has a script, a form or a refresh to check the browser.
_YOU = r"(?:that |if )?you(?:'re| are) (?:not a (?:ro)?bot|(?:a )?human)"
_BROWSER = r"your browser(?= before | to |[. ]*$)"
CHECKS: Final = re.compile(
    r"(?:please )?(?:wait(?: a moment)?(?:\.{3}|[.,!…])? (?:while )?)?(?:we(?: a|')re |we )?(?:just )?(?:"
    rf"check(?:ing)? (?:{_BROWSER}|{_YOU})|mak(?:e|ing) sure {_YOU}"
    rf"|(?:verify(?:ing)?|confirm(?:ing)?|prov(?:e|ing)) (?:{_BROWSER}|{_YOU}))"
    r"|(?:bot detection|(?:human|browser) verification|security check(?:point)?) (?:please|verif|check|complete)"
    r"|(?:are you|i(?:'m| am) not) a (?:human|robot|bot)\b(?! or (?!(?:a )?(?:human|(?:ro)?bot|machine|computer)\b))"
    r"|anti-(?:crawler|flood) protection is checking your browser|your connection needs to be verified before you can "
    r"|ddos protection by |enable javascript and cookies to continue$|your request is being (?:verified|checked)"
)
# The same in other languages, anywhere in the first words.
CHECKS_IN_OTHER_LANGUAGES: Final = re.compile("|".join((
    r"(?:comprobando|verificando) (?:su|tu|el) navegador|no (?:eres|es|soy) un (?:ro)?bot",
    r"(?:verifi|comprob|comprueb|confirm)\w* (?:que |si )(?:usted )?(?:es|eres) (?:un )?(?:ser )?humano",
    r"vérifi\w+ (?:de )?votre navigateur|vous n'êtes pas un (?:ro)?bot|que vous êtes (?:un )?(?:être )?humain",
    r"überprüf\w* (?:ihren|deinen) browser|(?:ihr|dein) browser wird (?:ge|über)prüft|ich bin kein roboter",
    r"(?:ob|dass) sie (?:ein mensch|kein (?:roboter|bot)) sind",
    r"verificando (?:o )?seu navegador|(?:se|que) você (?:não )?é (?:um )?(?:ser )?(?:humano|robô)|não sou um robô",
    r"verific\w* (?:che|se) (?:tu )?(?:sia|sei) (?:un )?(?:essere )?umano|non (?:sono|sei) un robot",
    r"ik ben geen robot|(?:of|dat) u een mens bent",
    r"sprawdz\w+ (?:twoj\w+ )?przeglądark|nie (?:jestem|jesteś) robotem|że jesteś człowiekiem",
    r"tarayıcınız kontrol ediliyor|robot olmadığın|insan olduğunuzu doğrula",
    r"провер\w+ (?:вашего |ваш )?браузер|(?:вы|я) не робот|ви не робот",
    r"人机(?:识别|验证)|完成验证后即可继续访问|您是(?:否是)?(?:真人|人类|人類)|(?:检查|檢查)(?:您|你)的(?:浏览器|瀏覽器)",
    r"ブラウザを確認し|ロボットではありません|人間であること",
    r"사람인지 확인|로봇이 아닙니다|자동화된 접근|브라우저를 확인",
    r"inte är en robot|(?:ikke|ikkje) er en robot|(?:et|ette) ole robotti|nejste robot|nie ste robot",
    r"nem (?:vagy|ön) robot",
    r"nu (?:ești|sunteți) un robot|δεν είστε ρομπότ|לא רובוט|لست (?:روبوت|برنامج)|ربات نیستید",
    r"(?:kiểm tra|xác minh) (?:trình duyệt|bạn là con người)|memeriksa (?:browser|peramban)|bukan robot",
)))  # fmt: skip
# The whole title of a wall that has little or no text.
TITLES: Final = re.compile(
    r"(?:just a moment|(?:just )?one moment,? please|completing challenge) ?(?:\.{3}|…)"
    r"|(?:.{1,30} [-–|] )?please wait for verification|waiting for the redirectiron\.\.\."
    r"|checking (?:your|the) browser(?: before .{1,60}|[. …]*)"
    r"|are you a (?:ro)?bot\??|attention required! \| cloudflare|ddos-guard"
    r"|(?:azure|protected by safeline) waf|vercel security checkpoint|verifying your connection[. …]*"
    r"|sina visitor system|百度安全验证"
)
# These are titles of pages about walls, too: a wall leads nowhere else.
TITLES_OF_PAGES_TOO: Final = re.compile(r"(?:bot|browser|human) verification|ddos[- ]protection")
TITLE_OF_A_REJECTION: Final = "request rejected"  # BIG-IP, in any language
# A script that only sets a cookie and reloads.
_AGAIN = (
    r"location(?:\.href)?\s?=\s?(?:window\.|document\.)?location|location\.replace\((?:window\.|document\.)?location"
)
RELOADS: Final = re.compile(rf"\blocation\.reload\(|{_AGAIN}")
