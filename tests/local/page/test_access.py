"""Accessibility of the page: axe finds no serious fault, colours have contrast, every picture has a text."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest

from tests.local.page.conftest import Objects
from tests.local.page.looking import NARROW, Looking, Tabs
from tests.local.page.test_walk import VIEWS
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
GRAVE = ("serious", "critical")
# The contrast of each text, and of each part of a picture, with the colour painted behind it.
CONTRASTS = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => {
    const one = (value) => ((value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * one(r) + 0.7152 * one(g) + 0.0722 * one(b);
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = parse(getComputedStyle(one).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const ratio = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    if (style.visibility === "hidden" || !element.getClientRects().length) continue;
    const isShape = element instanceof SVGElement && ["rect", "circle", "path"].includes(element.localName);
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (isShape && style.fill !== "none") found.push(["shape", style.fill, ratio(parse(style.fill), behind(element))]);
    if (hasText && !(element instanceof SVGElement) && !element.disabled)
      found.push([element.textContent.trim().slice(0, 30), style.color, ratio(parse(style.color), behind(element))]);
  }
  return found;
}"""
# Boxes are seen by their lines, and squares of hours without items say nothing.
NO_SHAPES = ("box", "fill-none")


STATES = ("a view that failed", "a key that is refused", "nothing yet", "still loading", "a deletion to confirm")
OBJECTS = ("a feed", "an import", "a run", "an item", "a webhook")


def opened(looking: Looking, view: str) -> None:
    looking.to_feed("orchard") if view == "a feed" else looking.go(view)
    looking.open_all()


def shown(looking: Looking, objects: Objects, view: str) -> None:
    """Go to a view by its address, to that of an object, or to one in a certain state."""
    answers = {"a view that failed": (503, "{}"), "a key that is refused": (401, "{}"), "nothing yet": (200, EMPTY)}
    if view in answers:
        status, body = answers[view]
        looking.page.route("**/v1/**", lambda route: route.fulfill(status=status, body=body))
        looking.page.goto(f"{looking.url}/#{objects.run if status == 503 else '/'}")
        looking.heading(
            {503: "That did not work", 401: "Key", 200: "The directory is empty"}[status], 2 if status == 200 else 1
        ).wait_for()
    elif view == "still loading":
        looking.page.route("**/v1/**", lambda _: None)
        looking.page.goto(f"{looking.url}/#/feeds")
        looking.heading("Directory").wait_for()
    elif view in STEPS:
        STEPS[view](looking)
    else:
        looking.go(
            dict(zip(OBJECTS, objects.views, strict=True)).get(view, objects.webhook if view in STATES else view)
        )
    if view == "a deletion to confirm":
        looking.button("Delete this webhook").click()
    looking.open_all()


def the_steps_of_an_address(looking: Looking) -> None:
    looking.look_at("orchard.example")
    looking.button("Show the steps").click()
    looking.page.get_by_text("The clean address is").wait_for()


def a_form_that_was_refused(looking: Looking) -> None:
    looking.go("/subscriptions")
    looking.page.get_by_label("Address of a site or feed").fill("nonsense")
    looking.button("Follow").click()
    looking.page.get_by_role("alert").wait_for()


def a_key_just_made(looking: Looking) -> None:
    looking.go("/keys")
    looking.page.get_by_label("Name").fill("for axe")
    looking.button("Create").click()
    looking.page.get_by_text("which is not shown again").wait_for()


def an_act_on_all_to_confirm(looking: Looking) -> None:
    looking.go("/feeds?state=healthy")
    looking.open_all()
    looking.button("Pause all shown").click()


STEPS = {
    "the steps of an address": the_steps_of_an_address,
    "a form that was refused": a_form_that_was_refused,
    "a key just made": a_key_just_made,
    "an act on all to confirm": an_act_on_all_to_confirm,
}
EMPTY = json.dumps(
    {
        "directory": {"by_state": {}, "never_fetched": 0},
        "checks": [],
        "subscriptions": {"count": 0, "more": False},
        "feeds": [],
        "cursor": None,
    }
)


@pytest.mark.parametrize(
    "view",
    [
        *VIEWS,
        "/look?url=orchard.example",
        "/feeds?state=healthy",
        "/pages?reason=not_found",
        "/?q=orchard",
        *OBJECTS,
        *STATES,
        *STEPS,
    ],
)
def test_axe_finds_no_serious_fault(tabs: Tabs, begun: StackProcess, objects: Objects, view: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    found = []
    with Looking(tabs, begun.url) as looking:
        shown(looking, objects, view)
        for scheme in SCHEMES:
            looking.page.emulate_media(color_scheme=scheme)
            violations: list[dict[str, Any]] = Axe().run(looking.page).response["violations"]
            grave = [one for one in violations if one["impact"] in GRAVE]
            found += [(scheme, one["id"], [node["html"][:200] for node in one["nodes"]]) for one in grave]
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["/", "/look?url=orchard.example", "a feed"])
def test_texts_and_shapes_stand_out_from_their_background(
    tabs: Tabs, begun: StackProcess, view: str, scheme: Literal["light", "dark"]
) -> None:
    with Looking(tabs, begun.url, scheme=scheme) as looking:
        opened(looking, view)
        found: list[tuple[str, str, float]] = looking.page.evaluate(CONTRASTS)
    weak = [one for one in found if one[2] < (3 if one[0] == "shape" else 4.5)]
    assert (len(found) > 20, weak) == (True, [])


@pytest.mark.parametrize("view", ["/", "/look?url=orchard.example", "a feed"])
def test_every_picture_has_its_words(looking: Looking, view: str) -> None:
    opened(looking, view)
    silent = looking.page.evaluate(
        """() => [...document.querySelectorAll("svg")]
        .filter((one) => !one.hasAttribute("aria-hidden") && !one.querySelector("title") && !one.ariaLabel)
        .map((one) => one.outerHTML.slice(0, 100))"""
    )
    assert silent == []


def test_animations_run_only_for_people_who_want_them(tabs: Tabs, begun: StackProcess) -> None:
    asked = "getComputedStyle(document.querySelector('nav a')).transitionDuration"
    for motion, expected in (("reduce", "0s"), ("no-preference", "0.15s")):
        with Looking(tabs, begun.url, motion=motion) as looking:  # type: ignore[arg-type]
            looking.go("/")
            assert looking.page.evaluate(asked) == expected


def test_controls_are_large_enough(tabs: Tabs, begun: StackProcess) -> None:
    with Looking(tabs, begun.url, width=NARROW) as looking:
        looking.go("/")
        small = looking.page.evaluate(
            """() => [...document.querySelectorAll("button, nav a, input, select, summary")]
            .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
            .filter(([, box]) => box.width && (box.width < 24 || box.height < 24)).map(([html]) => html)"""
        )
    assert small == []
