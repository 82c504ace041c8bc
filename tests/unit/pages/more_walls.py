"""More bot walls, by product, and pages that only look like one; all made up."""

from __future__ import annotations

MORE_WALLS = {
    "datadome": (
        '<html lang="en"><head><title>shop.example</title><style>#cmsg{animation: A 1.5s;}</style></head><bod'
        'y style="margin:0"><p id="cmsg">Please enable JS and disable any ad blocker</p><script data-cfasync='
        "\"false\">var dd={'rt':'i','cid':'AHrlqAAA','hsh':'B1','t':'bv','s':4,'e':'00','ho"
        "st':'geo.captcha-delivery.com','cookie':'x'}</script><script data-cfasync=\"false\" src=\"https://c"
        't.captcha-delivery.com/i.js"></script></body></html>'
    ),
    "HUMAN": (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="description" content="px-capt'
        "cha\"><title>Access to this page has been denied</title></head><body><script>window._pxVid='';window."
        "_pxUuid='1';window._pxAppId='PX1234';window._pxHostUrl='/1234/xhr';window._pxJsClientSrc='/1234/init"
        ".js';window._pxFirstPartyEnabled=true;var script=document.createElement('script');script.src='/1234/"
        "captcha/captcha.js?a=c&m=0';document.head.appendChild(script);</script></body></html>"
    ),
    "HUMAN, with a box": (
        '<!DOCTYPE html><html><head><title>Access to this page has been denied.</title><link rel="stylesheet"'
        ' href="https://shop.example/custom.css"></head><body><section class="container"><h1>Please verify yo'
        'u are a human</h1><div class="content"><div id="px-captcha"></div><p>Access to this page has been de'
        "nied because we believe you are using automation tools. Reference ID: #12</p></div></section><script"
        ">window._pxAppId='PXabc';</script><script src=\"https://captcha.px-cdn.net/PXabc/captcha.js?a=c&u=1\">"
        "</script></body></html>"
    ),
    "Akamai, by refresh": (
        '<!DOCTYPE html><html><head><meta http-equiv="refresh" content="5; URL=\'/feed.xml?bm-verify=AAQAAAAL_'
        '____x\'" /><title>&nbsp;</title></head><body><script>var i=1746;var j=i+Number("12"+"34");</script><s'
        'cript>var xhr=new XMLHttpRequest();xhr.open("POST","/_sec/verify?provider=interstitial",false);xhr.s'
        'etRequestHeader("Content-Type","application/json");xhr.send(JSON.stringify({"bm-verify":"AAQAAAAL","'
        'pow":j}));var data=JSON.parse(xhr.responseText);if(data.hasOwnProperty("location")){if(data["locatio'
        'n"]=="reload"){window.location.reload(true);}}</script></body></html>'
    ),
    "Akamai, in a frame": (
        '<!DOCTYPE html><html><head><title>Challenge Validation</title><link rel="stylesheet" type="text/css"'
        ' href="/_sec/cp_challenge/sec-4-4.css"><script>function cp_clge_done(){location.reload(true);}</scri'
        'pt><script src="/_sec/cp_challenge/sec-cpt-4-4.js" async defer></script></head><body><div id="sec-co'
        'ntainer"><div id="sec-text-container"><iframe id="sec-text-if" class="custmsg" src="https://shop.exa'
        'mple/_sec/x.html"></iframe></div><div id="sec-if-container"><iframe id="sec-cpt-if" class="crypto" p'
        'rovider="crypto" challenge="eyJ"></iframe></div></div></body></html>'
    ),
    "AWS WAF, a challenge": (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title></title><style>body{font-family:"A'
        'rial"}</style><script type="text/javascript">window.awsWafCookieDomainList=[];window.gokuProps={"key'
        '":"AQID","iv":"x","context":"y"};</script><script src="https://ab12.cd34.eu-west-1.token.awswaf.com/'
        'ab12/cd34/challenge.js"></script></head><body><div id="challenge-container"></div><script type="text'
        '/javascript">AwsWafIntegration.saveReferrer();AwsWafIntegration.checkForceRefresh().then((forceRefre'
        "sh)=>{if(forceRefresh){AwsWafIntegration.forceRefreshToken().then(()=>{window.location.reload(true);"
        "});}});</script><noscript><h1>JavaScript is disabled</h1>In order to continue, we need to verify tha"
        "t you're not a robot.</noscript></body></html>"
    ),
    "AWS WAF, a captcha": (
        '<!DOCTYPE html><html lang="en"><head><title>Human Verification</title><script>window.awsWafCookieDom'
        'ainList=[];window.gokuProps={"key":"AQ"}</script><script src="https://ab.cd.captcha.awswaf.com/ab/cd'
        '/captcha.js"></script></head><body><div id="captcha-container"></div><script>CaptchaScript.renderCap'
        "tcha(x)</script></body></html>"
    ),
    "DDoS-Guard": (
        '<!DOCTYPE html><html lang="en"><head><title>DDOS-GUARD</title><meta charset="utf-8"><link rel="style'
        'sheet" href="/.well-known/ddos-guard/static/css.css"></head><body data-ddg-origin="true" data-ddg-l1'
        '0n="true"><h1 id="title">Checking your browser before accessing site.example</h1><script src="https:'
        '//check.ddos-guard.net/check.js"></script></body></html>'
    ),
    "DDoS-Guard, by its check": (
        '<!doctype html><html lang="en"><head><title>DDoS-Guard</title></head><body><h1>DDoS protection by DD'
        'oS-Guard</h1><p>Checking your browser</p><script src="https://check.ddos-guard.net/check.js"></scrip'
        "t><script>window.__ddg_js='';</script></body></html>"
    ),
    "Vercel": (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Vercel Security Checkpoint</title>'
        '</head><body><div id="root"><p id="header-text">We\'re verifying your browser</p><p id="footer-text">'
        'Vercel Security Checkpoint | fra1::1</p></div><script type="module" src="/.well-known/vercel/securit'
        'y/static/challenge.v2.min.js"></script></body></html>'
    ),
    "Vercel, in its code": (
        '<!DOCTYPE html><html lang="en"><head><title>Vercel Security Checkpoint</title></head><body><div id="'
        'root"><div class="spinner"></div><p id="header-text">We\'re verifying your browser</p><p id="footer-t'
        'ext">Vercel Security Checkpoint | <span id=x>iad1::12</span></p><a href="https://vercel.link/securit'
        'y-checkpoint" id="fix-text">Website owner? Click here to fix</a></div><script type="module">const a='
        '(b)=>c;window.x="/.well-known/vercel/security/request-challenge";fetch(x)</script></body></html>'
    ),
    "reblaze": (
        '<html><head><meta charset="utf-8"></head><body><script>window.rbzns={"bereshit":"1","seed":"jAa+","h'
        'osts":"www.shop.example"};winsocks();</script><script src="/c3650cdf-216a-4ba2-80b0-9d6c540b105e58d2'
        '670b-ea0f-484e-b88c-0e2c1499ec9bd71e4b42-8570-44e3-89b6-845326fa43b6" type="text/javascript"></scrip'
        "t></body></html>"
    ),
    "reblaze old": (
        '<html><head><meta charset="utf-8"></head><body><script src="/d8c14d4960ca"></script><script>window.r'
        "bzns={fiftyeightkb:64000,days_in_week:1};(function(){winsocks(true)})</script></body></html>"
    ),
    "kasada": (
        "<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=typeof performance!=='unde"
        "fined'&&performance.now?performance.now.bind(performance):Date.now.bind(Date);KPSDK.start=KPSDK.now("
        ');</script><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/i'
        'ps.js?KP_UIDz=0aX&x-kpsdk-v=j-0.0.0"></script></body></html>'
    ),
    "stackpath": (
        "<html><head><title>Loading</title></head><body><p>Please wait while your request is being verified</"
        'p><div style="display:none"><script src="/sbbi/?sbbpg=sbbShell&gprid=x&sbbgs=y&ddl=1"></script></div'
        "><script>function sbbls(){}sbrmpIO('');</script></body></html>"
    ),
    "wordfence": (
        '<!DOCTYPE html><html lang="en"><head><title>Your access to this site has been limited by the site ow'
        "ner</title><style>x{}</style></head><body><h1>Your access to this site has been limited by the site "
        "owner</h1><p>Your access to this service has been limited. (HTTP response code 503)</p><p>If you thi"
        "nk you have been blocked in error, contact the owner of this site for assistance.</p><p>If you are a"
        " WordPress user with administrative privileges on this site, please enter your email address in the "
        'box below and click "Send".</p><form method="POST" action="?wordfence_unlockEmail=1"><input type="te'
        'xt" name="email"><input type="submit" value="Send Unlock Email"></form><h2>Block Technical Data</h2>'
        '<p>Generated by Wordfence at Mon, 1 Jan 2024. <a href="https://www.wordfence.com/">About Wordfence</'
        "a></p></body></html>"
    ),
    "bunkerweb": (
        '<!DOCTYPE html><html lang="en"><head><title>Bot Detection</title><link rel="icon" href="data:image/s'
        'vg+xml;base64,AA"><script>async function digestMessage(m){const d=new TextEncoder().encode(m);const '
        'h=await crypto.subtle.digest("SHA-256",d);return h}(async()=>{const dig=await digestMessage("abc"+i)'
        ';document.getElementById("challenge").value=i;document.getElementById("form").submit();})();</script'
        '></head><body><form method="POST" action="/challenge" id="form"><input type="hidden" name="challenge'
        '" id="challenge" value=""></form><h1>Bot Detection</h1><p>Please wait while we check if you are a Hu'
        "man</p></body></html>"
    ),
    "bunkerweb hcaptcha": (
        '<!DOCTYPE html><html lang="en"><head><title>Bot Detection</title><script src="https://js.hcaptcha.co'
        'm/1/api.js" async defer></script></head><body><h1>Bot Detection</h1><p>Please complete the hCaptcha '
        'to prove you are human</p><form method="POST" action="/challenge" id="form"><div class="h-captcha" d'
        'ata-sitekey="1" data-callback="onSubmit"></div></form></body></html>'
    ),
    "imperva newer": (
        '<!DOCTYPE html><html><head><noscript><title>Pardon Our Interruption</title></noscript><meta name="vi'
        'ewport" content="width=1000"><meta name="robots" content="noindex, nofollow"><script>var isSpa=false'
        ";window.onProtectionInitialized=function(protection){if(protection&&protection.cookieIsSet&&!protect"
        "ion.cookieIsSet()){showBlockPage();return;}window.location.reload(true);};window.reeseSkipExpiration"
        'Check=true;</script><script src="/ants-in-Lady-Mine-Nestie-I-Foare-Cal-my-all-Can" async></script></'
        'head><body><div class="container"><script>document.getElementsByClassName("container")[0].style.disp'
        'lay="none";</script><h1>Pardon Our Interruption</h1><p>As you were browsing something about your bro'
        'wser made us think you were a bot.</p><p id="interstitial-inprogress">x</p></div></body></html>'
    ),
    "distil": (
        '<!DOCTYPE html><html><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"><meta http-equiv="refresh'
        '" content="10; url=/distil_r_captcha.html?Ref=/feed&amp;distil_RID=1" /><script type="text/javascrip'
        "t\">(function(window){try{if(typeof sessionStorage!=='undefined'){sessionStorage.setItem('distil_refe"
        'rrer\',document.referrer);}}catch(e){}})(window);</script><script type="text/javascript" src="/ugvdxc'
        'bsbfw.js" defer></script><style>#d__fFH{}</style></head><body><div id="distilIdentificationBlock">&n'
        "bsp;</div></body></html>"
    ),
    "qrator": (
        '<!DOCTYPE html><html><head><meta charset="utf-8"><title></title><script src="/__qrator/qauth_utm_v2d'
        '_v9118.js"></script></head><body></body></html>'
    ),
    "hcaptcha": (
        '<!doctype html><html><head><title>Verify you are human</title><script src="https://js.hcaptcha.com/1'
        '/api.js" async defer></script><link rel="stylesheet" href="/captcha.css"></head><body><img src="/log'
        'o.png"><h1>One more step</h1><p>Please complete the security check to access site.example</p><form a'
        'ction="/verify" method="POST"><div class="h-captcha" data-sitekey="10000000-ffff"></div><input type='
        '"hidden" name="back" value="/feed"><input type="submit" value="Continue"></form></body></html>'
    ),
    "turnstile": (
        '<!doctype html><html><head><title>Security check</title><script src="https://challenges.cloudflare.c'
        'om/turnstile/v0/api.js" async defer></script></head><body><p>Verifying you are human. This may take '
        'a few seconds.</p><form method="post"><div class="cf-turnstile" data-sitekey="0x4A" data-callback="d'
        'one"></div></form></body></html>'
    ),
    "recaptcha crowdsec": (
        '<!doctype html><html lang="en"><head><title>CrowdSec Captcha</title><script src="https://www.google.'
        'com/recaptcha/api.js" async defer></script></head><body class="h-screen"><h1>CrowdSec Captcha</h1><f'
        'orm action="" method="POST" id="captcha-form"><div id="captcha" class="g-recaptcha" data-sitekey="6L'
        '" data-callback="captchaCallback"></div></form><p>This security check has been powered by</p><a href'
        '="https://crowdsec.net/" target="_blank" rel="noopener">CrowdSec</a></body></html>'
    ),
    "fastly": (
        '<!doctype html><html lang="en"><head><meta charset="UTF-8"><title>Client Challenge</title><style>x{}'
        '</style><script>window.onload=function(){}</script></head><body><noscript><div class="noscript-conta'
        'iner">JavaScript is disabled in your browser.</div></noscript><main id="loading-error" role="alert">'
        "<p>A required part of this site couldn't load.</p></main><script src=\"/_fs-ch-1T1wmsGaOgGaSxcX/scrip"
        't.js?reload=true" onerror="loadScript()"></script></body></html>'
    ),
    "edgeone": (
        '<!DOCTYPE html><html><head></head><body><script>(function(){var a=function(){document.cookie="__tst_'
        'status="+b+"#;";document.cookie="EO_Bot_Ssid="+c+";";window.location.reload()};a()})()</script></bod'
        "y></html>"
    ),
    "aliyun captcha": (
        '<!doctypehtml><meta charset="UTF-8"><meta name="aliyun_waf_aa" content="1f"><meta name="aliyun_waf_b'
        'b" content="2"><title>Verify</title><body><textarea id="renderData" style="display:none">{"_waf_bd8c'
        'e2ce37":"x"}</textarea><script>document.write(1)</script>'
    ),
    "yandex": (
        '<!doctype html><html lang="en"><head><title>Are you not a robot?</title><link rel="stylesheet" href='
        '"https://captcha-backgrounds.s3.yandex.net/static/style.css"></head><body><div class="Container"><fo'
        'rm method="POST" action="/checkcaptcha?key=1_2_3&amp;retpath=x" class="CheckboxCaptcha-Form" id="che'
        'ckbox-captcha-form"><h1>Please confirm that you and not a robot are sending requests</h1><input type'
        '="submit" id="js-button"></form><a href="https://yandex.com/support">help</a></div><script src="/cap'
        'tchapgrd"></script></body></html>'
    ),
    "f5 rejected": (
        "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consu"
        "lt with your administrator.<br><br>Your support ID is: 1234567890123456789<br><br><a href='javascrip"
        "t:history.back();'>[Go Back]</a></body></html>"
    ),
    "bluehost": (
        '<html><head><script>document.cookie = "humans_21909=1"; document.location.reload(true)</script></hea'
        "d><body></body></html>"
    ),
    "testcookie BPC": (
        '<html><head></head><body onload="challenge();"><script type="text/javascript" src="/aes.min.js" ></s'
        'cript><script>function challenge(){var a=toNumbers("f6"),b=toNumbers("98"),c=toNumbers("01");documen'
        't.cookie="BPC="+toHex(slowAES.decrypt(c,2,a,b))+"; expires=Thu, 31-Dec-37 23:55:55 GMT; path=/";docu'
        'ment.location.href="http://a.example/?attempt=1";}</script></body></html>'
    ),
    "amazon": (
        '<!DOCTYPE html><html><head><title dir="ltr">Amazon.com</title></head><body><h4>Enter the characters '
        'you see below</h4><p>Sorry, we just need to make sure you\'re not a robot.</p><form method="get" acti'
        'on="/errors/validateCaptcha" name=""><input type=hidden name="amzn" value="1"/><img src="https://ima'
        'ges-na.ssl-images-amazon.com/captcha/a.jpg"><input autocomplete="off" type="text" id="captchacharact'
        'ers" name="field-keywords"></form><a href="https://www.amazon.com/gp/help">Conditions of Use</a></bo'
        "dy></html>"
    ),
    "deflect": (
        "<!DOCTYPE html><html><head><title>Checking your browser</title></head><body><p>Please wait while we "
        'check your browser</p><script>var c="deflect_challenge3";new_solver("abc",10);document.cookie=c+"=1"'
        ";</script></body></html>"
    ),
    "altcha": (
        '<!doctype html><html><head><title>Checking</title><script type=module src="/altcha.js"></script></he'
        'ad><body><p>Just a second, we check you are human</p><form method=post action="/.sentinel/verify"><a'
        'ltcha-widget challengeurl="/x" auto="onload"></altcha-widget></form></body></html>'
    ),
    "servicepipe": (
        "<!DOCTYPE html><html><head><noscript><title>You are not a robot?</title></noscript><script>function "
        'get_cookie_spsc_encrypted_part(){var c=document.cookie}</script></head><body><div id="id_spinner" cl'
        'ass="container"><div class="load-2"></div></div><div id="id_captcha_frame_div" style="display:none;h'
        'eight:100vh"></div><script>window.onload=function(){var s=document.createElement("script");s.src="ht'
        'tps://servicepipe.ru/static/checkjs/a.js"}</script></body></html>'
    ),
    "blazingfast": (
        "<html><head><title>Just a moment please...</title></head><body><div>DDoS Protection by Blazingfast.i"
        'o</div><script>var xhttp=new XMLHttpRequest();xhttp.open("GET","/blzgfst-shark/?bfu=/feed&blazing_pr'
        'oxy=1",true);</script></body></html>'
    ),
    "google sorry": (
        '<html><head><meta name="viewport" content="initial-scale=1"><title>https://www.google.com/search?q=x'
        '</title></head><body><form id="captcha-form" action="index" method="post"><div id="recaptcha" class='
        '"g-recaptcha" data-sitekey="6Lf" data-callback="submitCallback" data-s="x"></div><input type=\'hidden'
        '\' name=\'q\' value=\'E\'><input type="hidden" name="continue" value="https://www.google.com/"></form><di'
        "v>Our systems have detected unusual traffic from your computer network. This page checks to see if i"
        't\'s really you sending the requests, and not a robot. <a href="#" onclick="x">Why did this happen?</'
        "a><br>IP address: 1.2.3.4<br>Time: 2024</div></body></html>"
    ),
    "anubis botstopper": (
        '<!doctype html><html lang=en><head><title>Checking</title><script id="anubis_version" type="applicat'
        'ion/json">"v1.22"</script></head><body><img src="/.within.website/x/cmd/anubis/static/img/pensive.we'
        'bp"></body></html>'
    ),
    "sucuri captcha": (
        "<html><head><title>Sucuri WebSite Firewall - Access Denied</title></head><body><h1>Sucuri WebSite Fi"
        "rewall - Access Denied</h1><p>What is going on? You are not allowed to access the requested page.</p"
        "><p>Block ID: BNP005</p></body></html>"
    ),
    "radware": (
        '<!DOCTYPE html><html><head><title>Radware Bot Manager Captcha</title><script src="https://captcha.pe'
        'rfdrive.com/captcha-public/js/x.js"></script></head><body><h1>We apologize for the inconvenience...<'
        "/h1><p>...but your activity and behavior on this site made us think that you are a bot.</p><form><di"
        'v class="h-captcha" data-sitekey="x"></div></form><p>Incident ID: 1</p></body></html>'
    ),
    "geetest": (
        '<!doctype html><html><head><title>Verification</title><script src="https://static.geetest.com/v4/gt4'
        '.js"></script></head><body><div id="captcha"></div><script>initGeetest4({captchaId:"x"},function(c){'
        'c.appendTo("#captcha")})</script></body></html>'
    ),
    "funcaptcha": (
        "<!doctype html><html><head><title>Verify</title></head><body><p>Help us keep the site safe</p><div i"
        'd="arkose"></div><script src="https://client-api.arkoselabs.com/v2/ABC/api.js" data-callback="setup"'
        " async defer></script></body></html>"
    ),
    "cloudflare 2024": (
        '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta http-equiv="Content-Sec'
        'urity-Policy" content="default-src \'none\'"><meta name="robots" content="noindex,nofollow"><meta http'
        '-equiv="refresh" content="360"></head><body><div class="main-wrapper" role="main"><div class="main-c'
        'ontent"><noscript><div class="h2"><span id="challenge-error-text">Enable JavaScript and cookies to c'
        "ontinue</span></div></noscript></div></div><script>(function(){window._cf_chl_opt = {cvId: '3',cZone"
        ": 'a.example',cType: 'managed'};var a = document.createElement('script');a.src = '/cdn-cgi/challenge"
        "-platform/h/b/orchestrate/chl_page/v1?ray=9';}());</script></body></html>"
    ),
    "pow unknown": (
        "<!doctype html><html><head><title>Hold on</title></head><body><h1>Making sure you&#39;re human</h1><"
        'p>This takes a moment.</p><script src="/pow/solve.js"></script></body></html>'
    ),
    "unknown 2": (
        '<html><head><meta http-equiv="refresh" content="3; url=/feed?ok=1"></head><body><p>Please wait while'
        " we verify that you are not a bot.</p></body></html>"
    ),
    "unknown 3": (
        "<html><head><title>x</title></head><body><noscript>js</noscript><p>Checking your browser before acce"
        "ssing blog.example.</p><script>var a=1;solve(a)</script></body></html>"
    ),
    "cookie reload 2": (
        '<html><body><script>document.cookie="visited=1;path=/";window.location.href=window.location.href;</s'
        "cript></body></html>"
    ),
    "cookie replace": ("<script>document.cookie='c='+1;location.replace(location.href)</script>"),
    "recaptcha invisible block": (
        "<html><head><title>Verification</title></head><body><img src=/l.png><p>Please confirm that you are a"
        ' human by completing the captcha below</p><form action="/c" method=post><div class="g-recaptcha" dat'
        'a-sitekey="a"></div><button>Go</button></form></body></html>'
    ),
    "friendly": (
        '<html><body><h2>Robot check</h2><form method=post><div class="frc-captcha" data-sitekey=x></div></fo'
        "rm></body></html>"
    ),
    "f5 br": (
        "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consu"
        "lt with your administrator.<br><br>Your support ID is: < 123 ><br></body></html>"
    ),
    "cf turnstile explicit": (
        '<html><body><div id="t"></div><p>Verify you are human by completing the action below.</p><script src'
        '="https://challenges.cloudflare.com/turnstile/v0/api.js?onload=cb"></script></body></html>'
    ),
    "anubis path prefix": (
        '<!doctype html><html><head><title>x</title><link rel="stylesheet" href="/wiki/.within.website/x/xess'
        '/xess.min.css?cachebuster=1"></head><body><p>Oh noes!</body></html>'
    ),
    "lsrecap": (
        '<html><head><title>reCAPTCHA</title></head><body><form id="lsrecaptcha-form" method="POST" action="/'
        '.lsrecap/recaptcha?"><div class=g-recaptcha></div></form></body></html>'
    ),
    "iuam old": (
        '<html><head><title>Just a moment...</title></head><body><form id="challenge-form" class="challenge-f'
        'orm" action="/?__cf_chl_f_tk=abc" method="POST"><input type="hidden" name="md" value="x"></form><h1>'
        "Checking your browser before accessing a.example.</h1></body></html>"
    ),
}
MORE_PAGES = {
    "csp meta": (
        '<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="frame-src https://geo'
        '.captcha-delivery.com https://*.hcaptcha.com"><title>App</title></head><body><div id=root></div><scr'
        'ipt src="/app.js"></script></body></html>'
    ),
    "preconnect": (
        '<!doctype html><html><head><link rel="preconnect" href="https://geo.captcha-delivery.com"><link rel='
        'dns-prefetch href="//ct.captcha-delivery.com"><title>Shop</title></head><body><h1>Shop</h1><p>Welcom'
        'e</p><a href="/a">A</a></body></html>'
    ),
    "canonical": (
        '<!doctype html><html><head><link rel="canonical" href="https://blog.example/bypass-px-captcha/"><met'
        'a name="description" content="What gokuProps and captcha-delivery.com are"><meta property="og:title"'
        ' content="px-captcha explained"><title>px-captcha explained</title></head><body><h1>px-captcha expla'
        "ined</h1><p>It is a wall by HUMAN.</p></body></html>"
    ),
    "img alt": (
        '<!doctype html><html><head><title>x</title></head><body><h1>Notes</h1><img src="/img/px-captcha.png"'
        ' alt="the acw_sc__v2 page"><p>Short.</p></body></html>'
    ),
    "script name": (
        '<!doctype html><html><head><title>x</title></head><body><h1>Notes</h1><script src="/posts/px-captcha'
        '/comments.js"></script><p>Short.</p></body></html>'
    ),
    "spa state": (
        "<!doctype html><html><head><title>x</title></head><body><div id=root></div><script>window.__STATE__="
        '{"posts":[{"title":"How captcha-delivery.com and px-captcha and KPSDK work","body":"set window._cf_c'
        'hl_opt"}]}</script><script src="/app.js"></script></body></html>'
    ),
    "search form": (
        '<!doctype html><html><body><form action="/search"><input name=q value="acw_sc__v2"></form><h1>3 resu'
        'lts</h1><p><a href="/1">One</a></body></html>'
    ),
    "kasada served": (
        '<!doctype html><html><head><title>Realty</title><script src="/149e9513/2d206a39/p.js"></script><scri'
        'pt>window.KPSDK.configure([{protocol:"https:"}])</script></head><body><div id=root></div><script src'
        '="/app.js"></script></body></html>'
    ),
    "contact": (
        '<!doctype html><html><head><title>Contact</title><script src="https://js.hcaptcha.com/1/api.js"></sc'
        "ript></head><body><h1>Contact</h1><form><input name=email type=email><textarea name=m></textarea><di"
        'v class="h-captcha" data-sitekey=x></div></form></body></html>'
    ),
    "newsletter": (
        "<!doctype html><html><head><title>Tiny blog</title></head><body><h1>Tiny blog</h1><p>Soon here.</p><"
        'form><input name=email><div class="cf-turnstile" data-sitekey=x></div></form></body></html>'
    ),
    "recaptcha v3 shell": (
        '<!doctype html><html><head><title>App</title><script src="https://www.google.com/recaptcha/api.js?re'
        'nder=6L"></script></head><body><div id=root></div><script src="/app.js"></script></body></html>'
    ),
    "home with px snippet": (
        '<!doctype html><html><head><title>Shop</title><script>window._pxAppId="PX1";</script><script src="/1'
        '/init.js"></script></head><body><div id=root></div><script src=/a.js></script></body></html>'
    ),
    "reese served": (
        "<!doctype html><html><head><title>Shop</title><script>window.reeseSkipExpirationCheck=true;window.on"
        'ProtectionInitialized=function(p){}</script><script src="/some-words-here" async></script></head><bo'
        'dy><div id=root></div><script src="/app.js"></script></body></html>'
    ),
    "qrator article": (
        "<!doctype html><html><body><h1>Qrator</h1><p>The wall loads /__qrator/qauth.js and sets a cookie. <a"
        ' href="https://x.example/__qrator/a.js">see</a></p></body></html>'
    ),
    "wordfence article": (
        '<!doctype html><html><body><h1>Wordfence: "Your access to this site has been limited by the site own'
        'er"</h1><p>What to do: turn off the plugin.</p></body></html>'
    ),
    "f5 article": (
        '<!doctype html><html><body><h1>Help</h1><p>If you see "The requested URL was rejected. Please consul'
        't with your administrator. Your support ID is", call us.</p></body></html>'
    ),
    "lang cookie": (
        '<html><head><script>document.cookie="lang=en";location.href="/en/"</script></head><body></body></html>'
    ),
    "theme script": (
        '<!doctype html><html><head><title>x</title><script>document.cookie="theme=dark";function t(){locatio'
        "n.reload()}</script></head><body><h1>My page</h1><p>Hello there, dear reader. This is a small page a"
        "bout nothing at all.</p></body></html>"
    ),
    "mailhide": (
        "<!doctype html><html><body><h1>About</h1><p>I am Jo and I write about tea, cups and kettles from all"
        " over the world, since 1999.</p><p>More text.</p><a href=/a>posts</a><a href=/b>tags</a><a href=/c>m"
        'e</a><a href=/d>now</a><a href=/e>uses</a><div class="g-recaptcha" data-sitekey=x></div></body></htm'
        "l>"
    ),
    "bm mention": (
        "<!doctype html><html><body><h1>Akamai</h1><p>It adds ?bm-verify= to the URL.</p><pre>/_sec/verify?pr"
        "ovider=interstitial</pre></body></html>"
    ),
    "vercel article": (
        "<!doctype html><html><head><title>Vercel Security Checkpoint</title></head><body><h1>Vercel Security"
        " Checkpoint</h1><p>How I got rid of the checkpoint on my site.</p></body></html>"
    ),
    "cookie banner": (
        '<!doctype html><html><head><title>Blog</title></head><body><p>We use cookies <button onclick="docume'
        "nt.cookie='ok=1';location.reload()\">ok</button></p></body></html>"
    ),
    "a page beside ddos-guard": (
        "<!doctype html><html><head><title>Forum</title></head><body><h1>Forum</h1><p>Posts</p><a href=/a>A</"
        'a><script src="https://check.ddos-guard.net/check.js"></script></body></html>'
    ),
    "spa cookie": (
        '<html><body><div id=app></div><script>if(!x){document.cookie="v=2";location.reload()}</script><scrip'
        't src="/app.js"></script></body></html>'
    ),
    "news": ("<html><body><h1>Making sure you can vote</h1><p>News text</p><script>1</script></body></html>"),
    "howto": (
        "<html><body><h1>Checking your browser version in tests</h1><p>Use the API.</p><script>1</script></body></html>"
    ),
    "f5 faq": (
        "<html><body><h1>The requested URL was rejected. Please consult with your administrator.</h1><p>What "
        "it means, and how to resolve it with your host.</p></body></html>"
    ),
    "verify email": ("<html><body><p>Please verify your email address</p><form><input name=e></form></body></html>"),
    "human article": ("<html><body><h1>Are you a human or a machine?</h1><p>An essay.</p></body></html>"),
    "age gate": (
        "<html><body><p>Please confirm that you are over 18</p><form><button>Yes</button></form><script>1</sc"
        "ript></body></html>"
    ),
    "maintenance": (
        "<html><head><title>Just a moment</title></head><body><p>We are down for maintenance, back soon.</p><"
        "script src=/a.js></script></body></html>"
    ),
    "iframe captcha demo page": (
        "<html><body><h1>Turnstile demo</h1><p>Sign in</p><form><input type=text name=user><input type=passwo"
        'rd name=p><div class="cf-turnstile"></div></form></body></html>'
    ),
    "px in text": ("<html><body><pre>window._pxAppId; px-captcha; /_sec/cp_challenge/; bm-verify</pre></body></html>"),
    "link to google": (
        '<html><body><a href="https://geo.captcha-delivery.com/captcha/">x</a><p>What is this?</p></body></html>'
    ),
    "img hotlink": ('<html><body><h1>Logos</h1><img src="https://geo.captcha-delivery.com/logo.png"></body></html>'),
    "comments with turnstile": (
        "<html><body><h1>Post</h1><p>A small post about nothing.</p><form action=/c method=post><textarea nam"
        "e=t></textarea><div class=cf-turnstile></div></form></body></html>"
    ),
    "unsubscribe page": ("<html><body><p>You are unsubscribed.</p></body></html>"),
    "rbz article": (
        '<html><body><h1>Reverse engineering</h1><p>short</p><script src="/prism.js"></script><code>window.rb'
        "zns = {}; winsocks();</code></body></html>"
    ),
}
