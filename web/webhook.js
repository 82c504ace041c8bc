// A webhook: its standing, the log of its deliveries, tests and re-delivery.

import { get, patch, post, remove } from "./api.js";
import { h, put } from "./dom.js";
import { paged } from "./paged.js";
import { action, address, ahead, announce, confirmed, facts, live, said, section, time } from "./parts.js";
import { STATUS, eventName, secret } from "./webhooks.js";

const BECAUSE = { gone: "the server answered 410 (gone)", failing: "it failed for days", owner: "it was switched off by a person" };

export async function view({ params, query, signal }) {
  const path = `/v1/webhooks/${encodeURIComponent(params.id)}`;
  const ask = () => get(path, { signal });
  const begun = ahead(ask());
  await begun;
  const place = h("div");
  const show = (one) => (put(place, head(one, path, show)), place);
  const outcome = query.get("outcome") ?? "";
  const page = async () => ({ things: (await get(`${path}/deliveries`, { query: { outcome, limit: 100 }, signal })).attempts, cursor: null });
  return { title: "A webhook", content: [live(ask, show, { signal, begun }), section("Deliveries", paged(page, (one) => attempt(one, path), { empty: h("p", {}, "Nothing was sent yet."), label: "Deliveries" }))] };
}

function head(one, path, show) {
  const told = (words) => (result) => {
    if (result?.status && result?.url) show(result);
    announce(words);
  };
  const place = h("div");
  return [
    facts(
      ["Address", address(one.url)],
      ["Status", STATUS[one.status], one.disabled_because && `, because ${BECAUSE[one.disabled_because]}`],
      ["Events", one.events.map(eventName).join(", ")],
      ["Last success", time(one.last_success_at, "none yet")],
      one.failures_in_a_row > 0 && ["Failures in a row", String(one.failures_in_a_row)],
      one.held_until && ["Held back until", time(one.held_until)],
    ),
    h(
      "div",
      { class: "actions" },
      action("Send a test", () => post(`${path}/test`, {}), told("A test is sent")),
      one.status === "disabled" ? action("Switch on", () => patch(path, { enabled: true }), told("Switched on")) : action("Switch off", () => patch(path, { enabled: false }), told("Switched off")),
      action("New secret", () => post(`${path}/rotate`, {}), (made) => put(place, secret(made))),
      confirmed("Delete", "Delete it permanently", () => remove(path), () => (location.hash = "#/webhooks"), "this webhook"),
    ),
    place,
  ];
}

function attempt(one, path) {
  return h(
    "li",
    { class: "row" },
    said(eventName(one.type), "strong"),
    h("div", { class: "row-line quiet" }, `attempt ${one.attempt}: `, said(one.outcome.replaceAll("_", " ")), one.status && ` (${one.status})`, ` in ${one.took_ms} ms · `, time(one.at), one.next_at && [" · again ", time(one.next_at)]),
    one.answer && h("details", {}, h("summary", {}, "Its answer"), said(one.answer, "p")),
    action("Send again", () => post(`${path}/deliveries/${one.delivery_id}/redeliver`, {}), () => announce("It is sent again")),
  );
}
