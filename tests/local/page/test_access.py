"""Accessibility of the page: axe finds no serious fault, colours have contrast, every picture has a text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest

from tests.local.page.conftest import Objects
from tests.local.page.looking import NARROW, Looking, Tabs
from tests.local.page.test_walk import VIEWS
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
GRAVE = ("serious", "critical")
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
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


STATES = ("a view that failed", "a key that is refused", "nothing yet", "still loading")
PAINTED = ("/", "/look?url=orchard.example", "a feed")  # with pictures
OBJECTS = ("a feed", "an import", "a run", "an item", "a webhook")


@pytest.fixture(scope="module")
def walking(tabs: Tabs, begun: StackProcess) -> Iterator[Looking]:
    """A person who goes from view to view: to load the page anew takes longer than to look at it."""
    with Looking(tabs, begun.url) as looking:
        yield looking


def show(looking: Looking, view: str, objects: Objects) -> None:
    """Go to a view by its address or its name, or take the steps that lead to it."""
    if view in STEPS:
        STEPS[view](looking, objects)
    else:
        looking.go(dict(zip(OBJECTS, objects.views, strict=True)).get(view, view))
    looking.open_all()


def show_in_state(looking: Looking, state: str, objects: Objects) -> None:
    """Go to a view whose requests are answered as this state needs."""
    answers = {"a view that failed": (503, "{}"), "a key that is refused": (401, "{}"), "nothing yet": (200, EMPTY)}
    if state == "still loading":
        looking.page.route("**/v1/**", lambda _: None)
        looking.page.goto(f"{looking.url}/#/feeds")
        looking.heading("Directory").wait_for()
    else:
        status, body = answers[state]
        looking.page.route("**/v1/**", lambda route: route.fulfill(status=status, body=body))
        looking.page.goto(f"{looking.url}/#{objects.run if status == 503 else '/'}")
        title = {503: "That did not work", 401: "Key", 200: "The directory is empty"}[status]
        looking.heading(title, 2 if status == 200 else 1).wait_for()
    looking.open_all()


def the_steps_of_an_address(looking: Looking, _: Objects) -> None:
    looking.look_at("orchard.example")
    looking.button("Show the steps").click()
    looking.page.get_by_text(re.compile("The clean address is http")).wait_for()


def a_form_that_was_refused(looking: Looking, _: Objects) -> None:
    looking.go("/subscriptions")
    looking.page.get_by_label("Address of a site or feed").fill("nonsense")
    looking.button("Follow").click()
    looking.page.get_by_role("alert").wait_for()


def a_key_just_made(looking: Looking, _: Objects) -> None:
    looking.go("/keys")
    looking.page.get_by_label("Name").fill("for axe")
    looking.button("Create").click()
    looking.page.get_by_text("which is not shown again").wait_for()


def an_act_on_all_to_confirm(looking: Looking, _: Objects) -> None:
    looking.go("/feeds?state=healthy")
    looking.open_all()
    looking.button("Pause all shown").click()


def a_deletion_to_confirm(looking: Looking, objects: Objects) -> None:
    looking.go(objects.webhook)
    looking.button("Delete this webhook").click()


STEPS = {
    "the steps of an address": the_steps_of_an_address,
    "a form that was refused": a_form_that_was_refused,
    "a key just made": a_key_just_made,
    "an act on all to confirm": an_act_on_all_to_confirm,
    "a deletion to confirm": a_deletion_to_confirm,
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


def grave_faults(looking: Looking) -> list[tuple[str, str, list[str]]]:
    """What axe finds in either scheme: the scheme, the rule, and the elements. Dark differs from light in colours."""
    from axe_playwright_python.sync_playwright import Axe

    if not looking.page.evaluate("'axe' in window"):  # once a page, for all its views
        looking.page.evaluate(Axe().axe_script)
    found: list[tuple[str, str, list[str]]] = []
    for scheme in SCHEMES:
        looking.page.emulate_media(color_scheme=scheme)
        options = {"resultTypes": ["violations"], **({"runOnly": OF_COLOURS} if scheme == "dark" else {})}
        asked = "options => axe.run(options).then(found => found.violations)"
        violations: list[dict[str, Any]] = looking.page.evaluate(asked, options)
        grave = [one for one in violations if one["impact"] in GRAVE]
        found += [(scheme, one["id"], [node["html"][:200] for node in one["nodes"]]) for one in grave]
    return found


@pytest.mark.parametrize(
    "view",
    [*VIEWS, "/look?url=orchard.example", "/feeds?state=healthy", "/pages?reason=not_found", "/?q=orchard", *OBJECTS],
)
def test_axe_finds_no_serious_fault(walking: Looking, objects: Objects, view: str) -> None:
    show(walking, view, objects)
    assert grave_faults(walking) == []


@pytest.mark.parametrize("steps", STEPS)
def test_axe_finds_no_serious_fault_after_some_steps(walking: Looking, objects: Objects, steps: str) -> None:
    show(walking, steps, objects)
    assert grave_faults(walking) == []


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_no_serious_fault_in_a_state(tabs: Tabs, begun: StackProcess, objects: Objects, state: str) -> None:
    with Looking(tabs, begun.url) as looking:
        show_in_state(looking, state, objects)
        found = grave_faults(looking)
    assert found == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("view", PAINTED)
def test_texts_and_shapes_stand_out_from_their_background(
    walking: Looking, objects: Objects, view: str, scheme: Literal["light", "dark"]
) -> None:
    walking.page.emulate_media(color_scheme=scheme)
    show(walking, view, objects)
    found: list[tuple[str, str, float]] = walking.page.evaluate(CONTRASTS)
    weak = [one for one in found if one[2] < (3 if one[0] == "shape" else 4.5)]
    assert (len(found) > 20, weak) == (True, [])


@pytest.mark.parametrize("view", PAINTED)
def test_every_picture_has_its_words(walking: Looking, objects: Objects, view: str) -> None:
    show(walking, view, objects)
    silent = walking.page.evaluate(
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
