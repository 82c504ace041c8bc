// A feed: its state and its reason, its checks, its rhythm, its items, its history, and its actions.

import { get, patch, post } from "./api.js";
import { rhythm, strip, timeline } from "./charts.js";
import { h, put } from "./dom.js";
import { paged } from "./paged.js";
import { action, address, ahead, announce, facts, feedName, filled, isSoon, live, said, section, stateBadge, time } from "./parts.js";
import { pause, until } from "./progress.js";
import { MEANS, advice, duration, every, now, outcome, stateOf } from "./words.js";

export async function view({ params, signal }) {
  const path = `/v1/feeds/${encodeURIComponent(params.id)}`;
  const ask = () => get(path, { signal });
  const askItems = () => get(`${path}/items`, { signal });
  const items = ahead(askItems());
  const audit = ahead(get(`${path}/audit`, { query: { limit: 50 }, signal }));
  const begun = ahead(ask());
  const feed = await begun;
  const place = h("div");
  const show = (one) => (put(place, head(one, path, show, signal)), place);
  return {
    title: feed.title?.trim() || "A feed without a title",
    content: [
      live(ask, show, { signal, begun }),
      section("Checks", filled(audit, (found) => strip(stretches(feed, found.entries), "How its checks went"))),
      live(askItems, itemsOf, { signal, begun: items }),
      section("What happened", filled(audit, (found) => history(found, path, show, signal))),
    ],
  };
}

function itemsOf(found) {
  const times = found.items.map((item) => item.published_at ?? item.first_seen_at);
  return [
    section("When items come", times.length ? rhythm(times) : h("p", {}, "No items are known yet.")),
    section("Newest items", itemList(found)),
  ];
}

function head(feed, path, show, signal) {
  return [
    h("p", {}, stateBadge(feed), h("span", { class: "quiet" }, ` — ${MEANS[stateOf(feed)]}`)),
    feed.consecutive_failures > 0 && trouble(feed),
    facts(
      ["Address", address(feed.url)],
      feed.site_url && ["Site", address(feed.site_url)],
      ["Last success", time(feed.last_success_at), h("span", { class: "quiet" }, feed.check_every_s ? " (without news it is stored once a day)" : "")],
      ["Next check", feed.next_check_at ? time(feed.next_check_at) : "none while it is paused", h("span", { class: "quiet" }, ` ${why(feed)}`)],
      ["Newest item", time(feed.latest_item_published_at, "no dated item")],
      feed.avg_update_interval && ["Between items", `${duration(feed.avg_update_interval)} in the median`],
      feed.language && ["Language", said(feed.language)],
      feed.format && ["Format", feed.format],
      feed.hub_urls.length > 0 && ["Hubs", feed.hub_urls.map((hub) => address(hub, 50)), h("span", { class: "quiet" }, ` (push: ${feed.push})`)],
      feed.topics.length > 0 && ["Topics", feed.topics.map((topic, index) => [index > 0 && ", ", said(topic.name), topic.state !== "approved" && ` (${topic.state})`])],
      ["Collects pages", feed.collect_items ? "yes" : "no"],
    ),
    feed.description && feed.description.trim() !== feed.title?.trim() && said(feed.description, "p"),
    h("div", { class: "actions" }, acts(feed, path, show, signal)),
  ];
}

function trouble(feed) {
  const failed = feed.consecutive_failures === 1 ? "The last check failed" : `The last ${feed.consecutive_failures} checks failed`;
  return h("div", { class: "note" }, h("p", {}, h("strong", {}, outcome(feed.last_outcome)), ". ", failed, ", since ", time(feed.first_failure_at), "."), advice(feed.last_outcome) && h("p", {}, advice(feed.last_outcome)), feed.last_error && said(feed.last_error, "p", { class: "quiet said" }));
}

// The reason for the time of the next check.
function why(feed) {
  if (feed.next_check_at === null) return "";
  if (isSoon(feed.next_check_at)) return "(in work)";
  if (feed.consecutive_failures > 0) return "(further apart the longer it fails)";
  if (feed.check_every_s) return `(${every(feed.check_every_s)}, as its items come)`;
  return "";
}

// The periods between changes of state. Changes older than the first page are not drawn.
function stretches(feed, entries) {
  if (feed.last_attempt_at === null || feed.never_fetched) return [];
  const changes = entries.filter((entry) => entry.action === "state_changed").reverse();
  const first = { at: Math.min(feed.created_at ?? feed.last_attempt_at, feed.last_attempt_at), outcome: begunAs(changes[0], feed) };
  const known = [first, ...changes.map((change) => ({ at: change.at, outcome: change.details.to === "healthy" ? "ok" : change.details.reason }))];
  // A state lasts until now: checks without a change are not stored. A paused feed is not checked.
  const seen = feed.state === "paused" ? feed.last_attempt_at : now();
  const end = Math.max(seen, known.at(-1).at);
  return known.map((one, index) => ({ since: one.at, until: known[index + 1]?.at ?? end, outcome: one.outcome }));
}

// Before its first change a feed was in the state that the change left. A seeded feed may have begun with a failure.
function begunAs(change, feed) {
  if (change && change.details.from !== "healthy") return "unknown";
  return feed.last_success_at === null ? "unchecked" : "ok";
}

function acts(feed, path, show, signal) {
  const isChecked = (one) => one.last_attempt_at !== feed.last_attempt_at;
  // A host in a cooldown is not asked: the check waits for its end.
  const isPostponed = (one) => one.check_every_s === null && one.next_check_at !== feed.next_check_at;
  const checked = async () => {
    if (feed.last_attempt_at >= now() - 1) await pause(2000, signal); // two checks in one second would look like one
    await post(`${path}/check`, {});
    return until(() => get(path, { signal }), (one) => isChecked(one) || isPostponed(one) || one.state === "paused", { signal });
  };
  const told = (words) => (one) => {
    show(one);
    announce(words);
  };
  const toldOfCheck = (one) => told(isChecked(one) ? "Checked" : "Not checked yet: see “Next check”")(one);
  const paused = feed.state === "paused";
  return [
    action("Follow", () => post("/v1/subscriptions", { url: feed.url }), told("Followed").bind(null, feed)),
    !paused && action("Check now", checked, toldOfCheck),
    paused ? action("Resume", () => post(`${path}/resume`, {}), told("Resumed")) : action("Pause", () => post(`${path}/pause`, {}), told("Paused")),
    feed.state === "unhealthy" && action("Search for it elsewhere", () => post(`${path}/revive`, {}), told("Its site is searched for its new address")),
    action(feed.collect_items ? "Stop collecting its pages" : "Collect its pages", () => patch(path, { collect_items: !feed.collect_items }), told("Done")),
  ];
}

function itemList({ items }) {
  if (!items.length) return h("p", {}, "No items are known yet.");
  const row = (item) => h("li", { class: "row" }, said(item.title || "untitled", "span", { class: "said row-name" }), h("div", { class: "row-line quiet" }, time(item.published_at ?? item.first_seen_at), item.url && [" · ", address(item.url, 60)]));
  return h("ul", { class: "rows", "aria-label": "Items" }, items.map(row));
}

const WORDS = {
  registered: "Registered",
  seeded: "Came from a seed file",
  state_changed: "Its state changed",
  merged: "Merged with another feed",
  moved: "Moved to another address",
  undone: "A move was undone",
  revival: "Searched for elsewhere",
  paused: "Paused",
  resumed: "Resumed",
  collect_items_on: "Collecting of pages started",
  collect_items_off: "Collecting of pages ended",
  topics_suggested: "Topics suggested",
  topics_seeded: "Topics of a seed file",
  topics_decided: "Topics decided",
};

function words(entry) {
  return WORDS[entry.action] ?? entry.action.replaceAll("_", " ");
}

function history(found, path, show, signal) {
  const events = found.entries.map((entry) => ({ at: entry.at, words: words(entry), kind: ["moved", "merged", "undone"].includes(entry.action) ? "move" : entry.action === "revival" || (entry.action === "state_changed" && entry.details.to !== "healthy") ? "fault" : "other" }));
  let first = found;
  const page = async (cursor) => {
    const next = first ?? (await get(`${path}/audit`, { query: { cursor, limit: 50 }, signal }));
    first = null;
    return { things: next.entries, cursor: next.cursor };
  };
  const undone = (feed) => {
    show(feed);
    announce("The move is undone");
  };
  const row = (entry) =>
    h(
      "li",
      { class: "row" },
      h("strong", {}, words(entry)),
      h("div", { class: "row-line quiet" }, time(entry.at), " by ", said(entry.by)),
      details(entry.details),
      canBeUndone(entry) && undo(entry, path, undone),
    );
  return [timeline(events), paged(page, row, { empty: "", label: "History" })];
}

// Merged feeds stay merged.
function canBeUndone({ action, details }) {
  return action === "moved" && !details.undone_at && !details.merged;
}

function undo(entry, path, undone) {
  const place = h("div");
  const done = (feed) => {
    put(place, h("p", {}, "It is undone."));
    undone(feed);
  };
  place.append(action("Undo this move", () => post(`${path}/undo`, { entry_id: entry.id }), done));
  return place;
}

function details(found) {
  const pairs = Object.entries(found).filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length));
  if (!pairs.length) return null;
  const shown = (value) => (typeof value === "string" ? said(value) : h("code", {}, JSON.stringify(value)));
  return h("details", {}, h("summary", {}, "Details"), facts(...pairs.map(([name, value]) => [name.replaceAll("_", " "), shown(value)])));
}
