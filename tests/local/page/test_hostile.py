"""Texts of feeds, sites and people are shown as text: they run nothing and move nothing."""

from __future__ import annotations

import re

import pytest

from tests.local.page.conftest import Objects
from tests.local.page.looking import NARROW, Looking, Tabs
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack
# All in one text: each would be an element of its own, wherever it stands in it.
MARKUP = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "</title><script>alert(1)</script>",
    "</main></body><h1>gone</h1>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<style>*{display:none}</style>",
    "<base href='https://evil.example/'>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<form action=https://evil.example><button>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
)
HOSTILE = (
    " ".join(MARKUP),
    MARKUP[0],
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "//evil.example/x",
    "https://user:secret@evil.example/",
    "http://[::1",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\u202egnp.exe",
    "\u2066\u2067mixed\u2069",
    "\u200f\u200f\u200f",
    "שלום וברכה לכולם",
    "مرحبا بالعالم",
    "a\u0300\u0301\u0302\u0303" * 200,
    "\ufdfd" * 50,
    "👩‍👩‍👧‍👦" * 200,
    "x" * 10_000,
    "long words " * 1_000,
    "\u00a0" * 100,
    "\n\n\n\n\n\n",
    "\x00\x07\x1b[31m",
    "",
    " ",
    "null",
)
NEVER = re.compile(r"evil\.example")
VIEWS = (
    "/?q=orchard",
    "/feeds",
    "/subscriptions",
    "/imports",
    "/look?url=orchard.example",
    "/pages",
    "/pages?url=https%3A%2F%2Ftidings.example%2F2026%2Ftide",
    "/runs",
    "/webhooks",
    "/keys",
    "/key",
    "/queues",
)
# The API's answers, requested once, with one text in place of each of their own, except ids and enumerated words.
# A field that may have a text, and has none, gets it too. Each feed fails, so that its reason is shown.
ANSWERS = """
const real = fetch, known = new Map();
const kept = "id feed_id run_id state status kind source scope cursor validation_status action result quota".split(" ");
const empty = ["title", "description", "detail", "reason", "answer", "last_error", "last_outcome", "why", "language"];
const lists = ["tags", "hub_urls"];
function filled(found, name) {
  if (typeof found === "string" || (found === null && empty.includes(name))) return window.hostile;
  if (Array.isArray(found) && !found.length) return lists.includes(name) ? [window.hostile] : [];
  if (Array.isArray(found)) return found.map((one) => filled(one));
  if (found === null || typeof found !== "object") return found;
  const of = (name, one) => (name === "consecutive_failures" ? 2 : kept.includes(name) ? one : filled(one, name));
  return Object.fromEntries(Object.entries(found).map(([name, one]) => [name, of(name, one)]));
}
window.fetch = async (address, options) => {
  const asked = `${options?.method} ${address}`;
  if (!known.has(asked)) {
    const answer = await real(address, options);
    known.set(asked, [answer.status, await answer.json()]);
  }
  const [status, document] = known.get(asked);
  return new Response(JSON.stringify(status < 300 ? filled(document) : document), { status });
};
"""
# Shows each view, opens all its parts, and lists what is wrong. A text is at most as high as the window.
WALK = """async ([views, text]) => {
  window.hostile = text;
  const main = document.getElementById("main");
  const found = [];
  const turning = /[\\u202a-\\u202e\\u2066-\\u2069]/;
  for (const view of views) {
    location.hash = view;
    const isThere = () => main.dataset.view === location.hash && !document.querySelector("[aria-busy]");
    for (let turns = 0; !isThere() && turns < 3000; turns++) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const one of document.querySelectorAll("details")) one.open = true;
    const wrong = new Set(isThere() ? faults() : ["still loading"]);
    found.push(...[...wrong].map((fault) => [view, text.slice(0, 40), fault]));
  }
  return found;
  function faults() {
    const wrong = [];
    const headings = document.querySelectorAll("h1");
    if (document.documentElement.scrollWidth > innerWidth) wrong.push("scrolls sideways");
    if (headings.length !== 1 || !headings[0].getClientRects().length) wrong.push("no heading");
    if (main.querySelector("script, iframe, img, style, base, meta")) wrong.push("an element of the text");
    if (main.querySelector(".trouble")) wrong.push(main.querySelector(".trouble").innerText.slice(0, 200));
    for (const link of main.querySelectorAll("a")) {
      const { protocol } = new URL(link.href.baseVal ?? link.href, location);
      if (protocol !== "http:" && protocol !== "https:") wrong.push(`leads to ${protocol}`);
    }
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let one = texts.nextNode(); one; one = texts.nextNode()) {
      const name = `${one.parentElement.localName}.${one.parentElement.className}`;
      if (one.length > 100 && one.parentElement.clientHeight > innerHeight) wrong.push(`a high ${name}`);
      if (turning.test(one.data) && isFollowed(one)) wrong.push(`turns what follows ${name}`);
    }
    return wrong;
  }
  function isFollowed(text) {
    let around = text.parentElement;
    while (!/isolate|plaintext/.test(getComputedStyle(around).unicodeBidi)) around = around.parentElement;
    const rest = document.createRange();
    rest.setStartAfter(text);
    rest.setEndAfter(around.lastChild);
    return /\\w/.test(rest.toString());
  }
}"""


def test_no_text_runs_or_moves_anything(tabs: Tabs, begun: StackProcess, objects: Objects) -> None:
    found: list[tuple[str, str, str]] = []
    begun.call("POST", "/v1/keys", {"name": "for the walk", "scope": "read"})
    with Looking(tabs, begun.url, width=NARROW, is_new=True) as looking:
        looking.page.on("dialog", lambda dialog: found.append(("a dialog", "", dialog.message)))
        looking.page.add_init_script(ANSWERS)
        looking.go("/exports")
        for text in HOSTILE:
            found += looking.page.evaluate(WALK, [[*VIEWS, *objects.views], text])
    assert found == []
    assert looking.complaints == []
    assert not any(NEVER.search(asked) for asked in looking.asked if asked.startswith("http"))
