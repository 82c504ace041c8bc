// Webhooks: the existing ones, and a new one.

import { get, post } from "./api.js";
import { h, put } from "./dom.js";
import { announce, copyButton, field, filled, form, said, section, select, time } from "./parts.js";
import { cut } from "./words.js";

const EVENTS = { "items.published": "new items", "feed.moved": "a feed moved", "feed.state_changed": "a feed fails, or works again", "feed.stale": "a feed fell silent", "subscription.*": "changes of your subscriptions" };
const OTHERS = { "webhook.test": "a test", "feed.*": "all about feeds" };

/** The name of an event type in words, if it has some. */
export function eventName(type) {
  return EVENTS[type] ?? OTHERS[type] ?? type;
}
export const STATUS = { untested: "waits for its test to succeed", live: "live", disabled: "switched off" };

export function view({ signal }) {
  const place = h("div");
  const load = () => put(place, filled(get("/v1/webhooks", { signal }), list));
  load();
  return { title: "Webhooks", content: [h("p", {}, "Your server gets a signed POST when something happens to a feed that you follow."), place, section("A new webhook", making(load))] };
}

function list({ webhooks }) {
  if (!webhooks.length) return h("p", {}, "There are none yet.");
  const row = (one) =>
    h(
      "li",
      { class: "row" },
      h("a", { class: "row-name", href: `#/webhooks/${one.id}` }, said(cut(one.url))),
      h("div", { class: "row-line quiet" }, STATUS[one.status], " · ", said(one.events.map(eventName).join(", ")), " · last success ", time(one.last_success_at, "none yet")),
    );
  return h("ul", { class: "rows", "aria-label": "Webhooks" }, webhooks.map(row));
}

function making(done) {
  const url = h("input", { type: "text", inputmode: "url", autocomplete: "off", spellcheck: "false", required: true });
  let events = "items.published";
  const make = async () => {
    const made = await post("/v1/webhooks", { url: url.value.trim(), events: [events] });
    announce("The webhook is created");
    done();
    return secret(made);
  };
  return form(make, field("Address of your server", url, "https; a test event must succeed there first"), field("Event", select(Object.entries(EVENTS), events, (value) => (events = value))), h("button", { type: "submit" }, "Create"));
}

/** A secret is shown once: at its creation and after a rotation. */
export function secret(made) {
  if (!made.secret) return h("p", {}, "This webhook exists already. Its secret was shown when it was created.");
  return h("div", { class: "note" }, h("p", {}, "Its secret, which is not shown again: ", h("code", {}, made.secret), " ", copyButton(made.secret)));
}
