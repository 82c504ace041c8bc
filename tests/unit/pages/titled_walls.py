"""Walls by their titles, in other languages and of further products, and short pages that are none; all made up."""

from __future__ import annotations

TITLED_WALLS = {
    "Cloudflare's block": (
        "<title>Attention Required! | Cloudflare</title><div>Please enable cookies.</div>"
        "<h1>Sorry, you have been blocked</h1><h2>You are unable to access example.com</h2>"
    ),
    "SiteGround, earlier": '<meta http-equiv="refresh" content="0;/.well-known/captcha/?y=ipr:1.2.3.4:1">',
    "a cookie of shared hosts": (
        '<title>Loading</title><p>Loading, please wait...</p><script>document.cookie="humans_21909=1";'
        "document.location.reload(true)</script>"
    ),
    "a waiting room": '<title>Queue</title><script>window.location="https://a.queue-it.net/?c=a&e=1"</script>',
    "a captcha that a script makes": (
        "<title>Verification</title><p>Verifying...</p><div id=c></div><script "
        'src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script><script>turnstile.render("#c")</script>'
    ),
    "Swedish": "<title>Vänta</title><p>Vi kontrollerar att du inte är en robot</p><script>go()</script>",
    "Danish": "<title>Vent</title><p>Vi kontrollerer, at du ikke er en robot</p><script>go()</script>",
    "Finnish": "<title>Hetki</title><p>Varmistamme, että et ole robotti</p><script>go()</script>",
    "Czech": "<title>Moment</title><p>Ověřujeme, že nejste robot</p><script>go()</script>",
    "Hungarian": "<title>Pillanat</title><p>Ellenőrizzük, hogy nem vagy robot</p><script>go()</script>",
    "Arabic": "<title>لحظة</title><p>جارٍ التحقق من أنك لست روبوتًا</p><script>go()</script>",
    "Hostinger": (
        '<!DOCTYPE html><html><head><title>Just a moment...</title><meta http-equiv="refresh" content="5"></head>'
        '<body><h2>Checking your browser before accessing</h2><p>shop.example</p><script src="/hcdn-cgi/jschallen'
        'ge?ts=1"></script></body></html>'
    ),
    "Reddit": (
        '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Reddit - Please wait for verification<'
        '/title><style>body{}</style></head><body><div class="loader"><svg><path/></svg></div><form method="get" '
        'hidden><input type="hidden" name="solution" value=""><input type="hidden" name="js_challenge" value="1">'
        '<input type="hidden" name="token" value="abc"></form><script>(async e=>e+e)("ab").then(s=>{document.form'
        's[0].elements.namedItem("solution").value=s;document.forms[0].submit()})</script></body></html>'
    ),
    "SafeLine": (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Protected By SafeLine WAF</title><link'
        ' rel="icon" href="/.safeline/static/favicon.png"><script src="/.safeline/challenge/v2/lib/x.js"></script'
        '></head><body><div id="slg-box"><div id="slg-caption">Security Detection Powered By SafeLine WAF</div></'
        'div><script>SafeLineChallenge("ab",{level:1})</script></body></html>'
    ),
    "Azure": (
        "<html><head><title>Azure WAF</title></head><body><h2>Checking your browser...</h2><script>var x=1;docume"
        'nt.cookie="afd_azwaf_jsclearance="+x;window.location.reload();</script></body></html>'
    ),
    "Azure, by its title": (
        '<!DOCTYPE html><html lang="en"><head><title>Azure WAF</title></head><body><noscript>JavaScript is requir'
        'ed</noscript><script src="/.azwaf/js/challenge.js"></script><div id="azwaf-challenge"></div></body></htm'
        "l>"
    ),
    "a cookie in pieces": (
        "<script>document.cookie=('_')+('_')+('j')+('s')+('l')+';max-age=3600;path=/';location.href=location.path"
        "name+location.search</script>"
    ),
    "turnstile beside words": (
        '<html lang="en"><head><title>Verifying connection</title><script src="https://challenges.cloudflare.com/'
        'turnstile/v0/api.js" async defer></script></head><body><h1>Verifying connection</h1><p>One moment while '
        'we verify your network connection.</p><form action="" method="post" id="captcha-form"><div data-callback'
        '="c" class="cf-turnstile" data-sitekey="0x4"></div><input type="hidden" name="destination" value="/feed"'
        "></form></body></html>"
    ),
    "WeChat": (
        '<!DOCTYPE html><html><head><title></title></head><body><div class="weu'
        'i-msg"><h2 class="weui-msg__title">环境异常</h2><p class="weui-msg__desc">'
        '当前环境异常，完成验证后即可继续访问。</p><a class="weui-btn" id="js_verify">去验证</a></div'
        '><script>var cap="x"</script></body></html>'
    ),
    "BIG-IP in Spanish": (
        "<html><head><title>Request Rejected</title></head><body>La URL solicitada fue rechazada. Por favor consu"
        'lte con su administrador.<br><br>Su ID de soporte es: 123456<br><br><a href="javascript:history.back();"'
        ">[Regresar]</a></body></html>"
    ),
    "BIG-IP in Indonesian": (
        "<html><head><title>Request Rejected</title></head><body>URL yang Anda minta ditolak. Silakan hubungi adm"
        "inistrator.<br><br>Support ID: 8901234567890<br><br><a href='javascript:history.back();'>[Kembali]</a></"
        "body></html>"
    ),
    "FortiWeb": (
        "<html><head><title>Web Application Firewall</title></head><body><h1>Web Page Blocked!</h1><p>The page ca"
        "nnot be displayed. Please contact the administrator for additional information.</p><p>URL: shop.example/"
        "feed</p><p>Client IP: 1.2.3.4</p><p>Attack ID: 20000051</p><p>Message ID: 000012</p></body></html>"
    ),
    "HUMAN, by a button": (
        "<!DOCTYPE html><html><head><title>Robot or human?</title></head><body>"
        "<h1>Robot or human?</h1><p>Activate and hold the button to confirm tha"
        't you’re human. Thank You!</p><div id="px-captcha"></div></body></html'
        ">"
    ),
    "a title alone": (
        '<html><head><title>Just a moment...</title></head><body><div class="spinner"></div><script src="/challen'
        'ge.js"></script></body></html>'
    ),
    "a title and a script": (
        "<html><head><title>Checking your browser...</title></head><body><script>go()</script></body></html>"
    ),
    "a title and a form": (
        '<html><head><title>Bot Verification</title><script src="https://www.google.com/recaptcha/api.js"></scrip'
        't></head><body><form id="lsrecaptcha-form"><div id="recaptchadiv"></div></form></body></html>'
    ),
    "Cloud Armor": (
        '<!DOCTYPE html><html><head><title>Challenge</title><script src="https://www.google.com/recaptcha/challen'
        'gepage/api.js"></script></head><body><div id="challenge"></div></body></html>'
    ),
    "BitNinja": (
        '<html><head><title>Waiting for the redirectiron...</title></head><body><div class="bn"><h1>BitNinja</h1>'
        '<p>Your request is being checked. Please wait.</p><form id="bn-form" action="/" method="post"><input typ'
        'e="hidden" name="bn"></form><script>document.getElementById("bn-form").submit()</script></div></body></h'
        "tml>"
    ),
    "BitNinja, a captcha": (
        "<html><head><title>Security check by BitNinja.IO</title></head><body><h1>Please complete the CAPTCHA</h1"
        '><p>Your IP address has been greylisted.</p><form method=post><div class="g-recaptcha" data-sitekey="x">'
        "</div></form></body></html>"
    ),
    "a library's check": (
        '<html><head><title>Traffic control</title><script src="https://challenges.cloudflare.com/turnstile/v0/ap'
        'i.js?render=explicit"></script></head><body><header><a href="/">Library</a></header><main><h1>Traffic co'
        'ntrol and bot detection...</h1><p>Please wait while we make sure you are human</p><div class="cf-turnsti'
        'le" id="challenge"></div></main></body></html>'
    ),
    "balooProxy": (
        "<!doctype html><html><head><title>Completing challenge ...</title></head><body><h1>Completing challenge "
        '...</h1><p>DDoS protection by balooProxy</p><script>document.cookie="_2__bProxy_v=";location.reload()</s'
        "cript></body></html>"
    ),
    "BaoTa": (
        '<!DOCTYPE html><html><head><meta charset="utf-8"><title>检测中</title></h'
        'ead><body>跳转中</body><script>function a(){window.location.href="/feed?b'
        'twaf=123456"}setTimeout(a,100)</script></html>'
    ),
    "BaoTa, a check": (
        '<html><head><meta charset="utf-8"><title>宝塔网站防火墙</title></head><body><'
        'p>正在进行人机识别，请稍等 Robot Verification</p><script src="/Rcaptcha/x_btwaf.js'
        '"></script></body></html>'
    ),
    "a cookie on load": (
        '<html><body onload="challenge();"><script>function challenge(){document.cookie="CONTENT=1;path=/";window'
        ".location.href=window.location.pathname}</script></body></html>"
    ),
    "JavaScript and cookies": (
        "<html><head><title>Please wait</title></head><body><p>Enable JavaScript and cookies to continue</p><scri"
        "pt>window.x=1</script></body></html>"
    ),
    "wait, then a check": (
        "<html><head><title>Gcore</title></head><body><h1>Please wait...</h1><p>We are verifying your browser</p>"
        '<script src="https://shop.example/gcaptcha/x.js"></script></body></html>'
    ),
    "CrowdSec": (
        "<!doctype html><html><head><title>CrowdSec Captcha</title></head><body><h1>CrowdSec Captcha</h1><p>Pleas"
        'e complete the captcha</p><form method=post><div class="h-captcha" data-sitekey="a"></div></form></body>'
        "</html>"
    ),
    "unusual activity": (
        "<html><head><title>Verify</title></head><body><h1>We have detected unusual activity from your network</h"
        '1><p>To continue, please click the box below to let us know you are not a robot.</p><div class="h-captch'
        'a"></div></body></html>'
    ),
    "Spanish": (
        "<html><head><title>Un momento</title></head><body><h1>Comprobando su n"
        "avegador antes de acceder a diario.example</h1><p>Este proceso es auto"
        "mático.</p><script>setTimeout(function(){},1)</script></body></html>"
    ),
    "French": (
        "<html><head><meta charset=utf-8><title>Un instant</title></head><body>"
        "<h1>Vérification de votre navigateur en cours</h1><script>go()</script"
        "></body></html>"
    ),
    "German": (
        "<html><head><meta charset=utf-8></head><body><h1>Wir überprüfen, ob Si"
        "e ein Mensch sind</h1><p>Bitte warten...</p><script>go()</script></body></html>"
    ),
    "Portuguese": (
        "<html><head><meta charset=utf-8></head><body><h1>Verificando se você é"
        " humano. Isso pode levar alguns segundos.</h1><script>go()</script></body></html>"
    ),
    "Russian": (
        "<html><head><meta charset=utf-8><title>Проверка</title></head><body><h"
        "1>Проверка браузера перед переходом на сайт</h1><p>Подождите несколько"
        " секунд</p><script>go()</script></body></html>"
    ),
    "Russian, a button": (
        "<html><head><meta charset=utf-8></head><body><h1>Подтвердите, что вы н"
        'е робот</h1><form action="/check"><button>Я не робот</button></form></'
        "body></html>"
    ),
    "Italian": ("<html><body><h1>Verifica che tu sia un essere umano</h1><script>go()</script></body></html>"),
    "Polish": (
        "<html><head><meta charset=utf-8></head><body><h1>Sprawdzanie, czy nie "
        "jesteś robotem</h1><script>go()</script></body></html>"
    ),
    "Turkish": (
        "<html><head><meta charset=utf-8></head><body><h1>Tarayıcınız kontrol e"
        "diliyor</h1><script>go()</script></body></html>"
    ),
    "Chinese": (
        "<html><head><meta charset=utf-8><title>安全验证</title></head><body><p>正在进"
        "行人机识别验证，请稍候</p><script>go()</script></body></html>"
    ),
    "Japanese": (
        "<html><head><meta charset=utf-8></head><body><p>ブラウザを確認しています</p><scrip"
        "t>go()</script></body></html>"
    ),
    "Korean": (
        "<html><head><meta charset=utf-8></head><body><p>자동화된 접근이 아닌지 확인 중입니다</"
        "p><script>go()</script></body></html>"
    ),
}

SHORT_PAGES = {
    "a quiz": "<title>Quiz</title><h1>Are you a human or an alien?</h1><a href=/1>Start</a><script>q()</script>",
    "a shop for protection": (
        "<title>DDoS protection</title><p>We sell DDoS protection.</p><a href=/buy>Buy</a><script>a()</script>"
    ),
    "a directory of bots": (
        "<title>Bot verification</title><p>How to verify a bot: by DNS.</p><a href=/docs>Docs</a><script>a()</script>"
    ),
    "a form with a captcha that a script makes": (
        "<title>Join</title><form><input type=email name=e><div id=c></div></form><script>hcaptcha.render('c')</script>"
    ),
    "moment": ("<html><head><title>Just a moment: essays</title></head><body><p>Essay</p></body></html>"),
    "app": (
        '<html><head><title>Verify</title></head><body><div id=root></div><script src="/app.js"></script></body></html>'
    ),
    "spa wait": (
        '<html><head><title>Please wait</title></head><body><div id="root"></div><script type=module src="/assets'
        '/index.js"></script></body></html>'
    ),
    "title app moment": (
        '<html><head><title>Just a moment</title><link rel="stylesheet" href="/a.css"></head><body><div id="app">'
        '</div><script src="/bundle.js"></script></body></html>'
    ),
    "robots news": (
        "<html><head><title>Robot or human?</title></head><body><h1>Robot or human?</h1><p>The debate goes on.</p"
        "></body></html>"
    ),
    "es article": (
        "<html><body><h1>Comprobando su navegador: guía</h1><p>Texto Texto Text"
        "o Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto "
        "Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Te"
        "xto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Text"
        "o Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto "
        "Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Texto Te"
        "xto </p></body></html>"
    ),
    "reload page": (
        "<html><body><h1>Scores</h1><p>2:1</p><script>setTimeout(function(){location.reload()},60000)</script></b"
        "ody></html>"
    ),
    "a tool": (
        "<html><head><title>Browser check</title></head><body><p>You use Firefox 140 on Linux.</p><script>show()<"
        "/script></body></html>"
    ),
    "a title without a check": ("<html><head><title>Just a moment...</title></head><body><p>A poem.</p></body></html>"),
    "a request that was rejected": (
        "<html><head><title>Request Rejected</title></head><body><p>The council rejected the request for a new br"
        "idge. The council rejected the request for a new bridge. The council rejected the request for a new brid"
        "ge. The council rejected the request for a new bridge. The council rejected the request for a new bridge"
        ". The council rejected the request for a new bridge. The council rejected the request for a new bridge. "
        "The council rejected the request for a new bridge. The council rejected the request for a new bridge. Th"
        "e council rejected the request for a new bridge. The council rejected the request for a new bridge. The "
        "council rejected the request for a new bridge. </p></body></html>"
    ),
    "a fable in Russian": (
        "<html><head><meta charset=utf-8><title>Рассказ</title></head><body><p>"
        "Я не робот, сказал он. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег."
        " Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Сне"
        "г. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. С"
        "нег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег."
        " Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Сне"
        "г. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. С"
        "нег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег."
        " Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Снег. Сне"
        "г. </p><script>count()</script></body></html>"
    ),
    "proverb": ("<html><body><p>Errar es humano</p><script>count()</script></body></html>"),
}
