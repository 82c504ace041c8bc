"""Pages that only forward (rule L4): refreshes, their targets, and pages that are not forwards."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from feedward.pages.may_refresh import MAX_BYTES
from feedward.pages.refresh import leads_to, refresh_reference

PAGE = "https://a.example/dir/old?x=1"
HTML: Mapping[str, str] = {"content-type": "text/html; charset=utf-8"}


def led(html: str, **headers: str) -> str | None:
    return leads_to(PAGE, {**HTML, **headers}, html.encode())


@pytest.mark.parametrize(
    ("refresh", "reference"),
    [
        ("0; url=https://b.example/", "https://b.example/"),
        ("0;URL='new.html'", "new.html"),
        ('5 , Url = "new.html" ', "new.html"),
        (" 0.9;url=/new", "/new"),
        (".5;url=/new", "/new"),
        ("0 /new", "/new"),
        ("0; /new", "/new"),
        ("0;url=a'b", "a'b"),
        ("0;url='new' more", "new"),
        ("0;urlnew", "urlnew"),
        ("0", None),
        ("0;", None),
        ("0;url=", None),
        ("60", None),
        ("6;url=/new", None),
        ("60;url=/new", None),
        ("99999999999999999999;url=/new", None),
        ("url=/new", None),
        (";url=/new", None),
        ("0url=/new", None),
        ("-1;url=/new", None),
        ("", None),
    ],
)
def test_a_refresh_is_read_as_browsers_do(refresh: str, reference: str | None) -> None:
    assert refresh_reference(refresh) == reference


@pytest.mark.parametrize(
    ("html", "target"),
    [
        ("<meta http-equiv=refresh content='0;url=new'>", "https://a.example/dir/new"),
        ('<META HTTP-EQUIV="Refresh" CONTENT="3; URL=//b.example/a b">Moved.', "https://b.example/a%20b"),
        ("<base href=/base/><meta http-equiv=refresh content='0;url=new'>", "https://a.example/base/new"),
        (
            "<body><p>Redirecting...<meta content='0;url=/?a=1&amp;b=2' http-equiv=refresh>",
            "https://a.example/?a=1&b=2",
        ),
        (
            "<meta http-equiv=refresh content='0;url=/n'>This page has moved. <a href=/n>Click here</a> to go on.",
            "https://a.example/n",
        ),
        # the first one that browsers take
        (
            "<meta http-equiv=refresh content=''><meta http-equiv=refresh content='0;url=new'>",
            "https://a.example/dir/new",
        ),
        (
            "<meta http-equiv=refresh content='url=x'><meta http-equiv=refresh content='0;url=new'>",
            "https://a.example/dir/new",
        ),
        ("<meta http-equiv=refresh content='300'><meta http-equiv=refresh content='0;url=new'>", None),
        # without scripts, to where a script goes
        (
            (
                "<noscript><META http-equiv='refresh' content='0;URL=https://b.example/x?a=1&amp;b=2'></noscript>"
                '<script>window.opener=null;location.replace("https:\\/\\/b.example\\/x?a=1&b=2")</script>'
            ),
            "https://b.example/x?a=1&b=2",
        ),
        (
            "<noscript> <meta http-equiv=refresh content='0;url=/n'></noscript><script>location='/n'</script>",
            "https://a.example/n",
        ),
        (
            "<noscript><meta http-equiv=refresh content='0;url=/nojs'></noscript><script>location.hash='#/a'</script>",
            None,
        ),
        # by a script that does nothing else
        ('<html><head><script>window.location.href = "/new";</script></head></html>', "https://a.example/new"),
        ("<title>Redirecting</title><script>location='new'</script><p>Redirecting...", "https://a.example/dir/new"),
        (
            '<script type="text/javascript">\n top.location.replace("https:\\/\\/b.example\\/")\n</script>',
            "https://b.example/",
        ),
        ("<script>self.location.assign('/new')</script><script src=/a.js></script>", "https://a.example/new"),
        ("<script>setTimeout(function () {window.location = '/new';}, 1000)</script>", "https://a.example/new"),
        ("<script>setTimeout(() => location.replace('/new'), 0);</script>", "https://a.example/new"),
        ("<script>setTimeout(\"location.href='/new'\", 3000)</script>", "https://a.example/new"),
        ("<script>window.onload = function() {location.href = '/new'}</script>", "https://a.example/new"),
        ("<body class=a onload=\"location.href='/new'\">", "https://a.example/new"),
        ("<script><!--\nlocation.replace('/new');\n//--></script>", "https://a.example/new"),
        ("<script>setTimeout(function() {location = '/new'}, 60000)</script>", None),
        ("<script>setTimeout(function() {if (a) {location = '/new'}}, 10)</script>", None),
        ("<script>setTimeout(function() {location.reload()}, 10)</script>", None),
        ("<body onload=\"go(); location.href='/new'\">", None),
        ("<!-- <body onload=\"location.href='/new'\"> --><p>a", None),
        ("<script>if (old) location.href = '/new'</script>", None),
        ("<script>location.href = '/new' + id</script>", None),
        ("<script>document.cookie = 'a=1'; location.href = '/new'</script>", None),
        ("<script>location.hash = '/new'</script>", None),
        ("<script>location.href = '#top'</script>", None),
        ("<!-- <script>location.href = '/new'</script> -->", None),
        ("<script>location.href = '/new'</script><p>One thing. Another thing. A third.", None),
        ("<script>location.href = '/new'</script>" + "<br>" * 1000, None),
        # not a refresh
        ("<!-- <meta http-equiv=refresh content='0;url=new'> -->", None),
        ("<script>'<meta http-equiv=refresh content=\"0;url=new\">'</script>", None),
        ("<noscript><meta http-equiv=refresh content='0;url=noscript'></noscript>", None),
        ("<template><meta http-equiv=refresh content='0;url=new'></template>", None),
        ("<meta name=refresh content='0;url=new'>", None),
        ("<meta http-equiv=refresh>", None),
        # reloads itself
        ("<meta http-equiv=refresh content='0;url=old?x=1'>", None),
        ("<meta http-equiv=refresh content='0;url=#top'>", None),
        ("<meta http-equiv=refresh content='5;url=http://a.example/dir/old?x=1'>2:1", None),
        ("<meta http-equiv=refresh content='5'>", None),
        # leads out of the web
        ("<meta http-equiv=refresh content='0;url=javascript:go()'>", None),
        ("<meta http-equiv=refresh content='0;url=market://details?id=a'>", None),
        ("<meta http-equiv=refresh content='0;url=http://['>", None),
        # is read
        ("<meta http-equiv=refresh content='5;url=/next'>" + "A slide of a show, with its words. " * 9, None),
        ("<meta http-equiv=refresh content='5;url=/next'><p>One thing. Another thing. A third.", None),
    ],
)
def test_a_page_leads_on_that_has_nothing_else(html: str, target: str | None) -> None:
    assert led(html) == target


def test_a_header_says_it_as_well_and_first() -> None:
    assert led("Redirecting", refresh="0; url=/by-header") == "https://a.example/by-header"
    assert led("<meta http-equiv=refresh content='0;url=/meta'>", refresh="0;url=/header") == "https://a.example/header"
    assert led("", refresh="0;url=/new") == "https://a.example/new"
    assert led("2:1", refresh="60") is None
    assert led("<meta http-equiv=refresh content='0;url=/meta'>", refresh="60") is None
    assert leads_to(PAGE, {"refresh": "0;url=/new"}, b"") == "https://a.example/new"


def test_a_page_in_utf_16_leads_on() -> None:
    html = "\ufeff<html><meta http-equiv=refresh content='0;url=/new'>"
    assert leads_to(PAGE, {"content-type": "text/html"}, html.encode("utf-16-le")) == "https://a.example/new"


def test_only_a_small_page_leads_on() -> None:
    refresh = "<meta http-equiv=refresh content='0;url=new'>"
    assert led(refresh + " " * MAX_BYTES) is None
    assert leads_to(PAGE, {"content-type": "text/plain"}, refresh.encode()) is None
    assert leads_to(PAGE, {"content-type": "image/png", "refresh": "0;url=/new"}, b"\x89PNG\r\n") is None
