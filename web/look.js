// A pasted address: its site, its candidates with the parts of their scores, and following one.

import { get, post } from "./api.js";
import { bars } from "./charts.js";
import { h, put } from "./dom.js";
import { action, address, announce, facts, filled, said, section, time, trouble } from "./parts.js";
import { until } from "./progress.js";
import { advice, counted, outcome } from "./words.js";

const FOUND = {
  no_feed: "This site has no feed that we could find.",
  refused: "The site refuses our requests.",
  unreachable: "The site cannot be reached.",
  blocked: "This address may not be fetched: it leads into a private network.",
  bad_url: "This address cannot be fetched.",
};

export function view({ query, signal }) {
  const url = query.get("url") ?? "";
  const place = h("div", { "aria-busy": "true" });
  look(url, query.get("refresh") === "1", place, signal)
    .catch((error) => signal.aborted || put(place, trouble(error)))
    .finally(() => place.removeAttribute("aria-busy"));
  return { title: "Feeds of an address", content: [lookForm(url), place] };
}

function lookForm(url) {
  const box = h("input", { type: "text", inputmode: "url", id: "url", value: url, autocomplete: "off", spellcheck: "false" });
  const submit = (event) => {
    event.preventDefault();
    location.hash = `#/look?url=${encodeURIComponent(box.value.trim())}`;
  };
  return h("form", { class: "search", onsubmit: submit }, h("label", { for: "url" }, "Address of a site or feed"), h("div", { class: "together" }, box, h("button", { type: "submit" }, "Look")));
}

async function look(url, refresh, place, signal) {
  if (!url) return put(place);
  put(place, h("p", { role: "status" }, "Looking at ", address(url), " …"));
  let found = await post("/v1/discoveries", { url, refresh }, { signal });
  const isOver = (one) => one.status === "done" || one.status === "failed";
  if (!isOver(found)) {
    const told = (one) => put(place, h("p", { role: "status" }, `Still searching: ${counted(one.requests ?? 0, "request")} so far. `, "You can leave this page; the search continues."), found.site && siteFacts(found));
    found = await until(() => get(`/v1/discoveries/${found.id}`, { signal }), isOver, { signal, each: told });
  }
  put(place, shown(found, url));
  announce(found.candidates.length ? counted(found.candidates.length, "candidate") : FOUND[found.outcome] ?? "Nothing found");
}

function shown(found, url) {
  const valid = found.candidates.filter((one) => one.validation_status === "valid");
  const others = found.candidates.filter((one) => one.validation_status !== "valid");
  return [
    found.site && siteFacts(found),
    !valid.length && noFeed(found),
    valid.length > 0 && section(counted(valid.length, "feed"), valid.map((one) => candidate(one, found))),
    others.length > 0 && h("details", {}, h("summary", {}, `${counted(others.length, "other address", "other addresses")} that we tried or saw`), others.map((one) => candidate(one, found))),
    found.candidates_left_out > 0 && h("p", { class: "quiet" }, `${counted(found.candidates_left_out, "more address", "more addresses")} left out.`),
    section("How the clean address is decided", steps(found.canonical?.candidate_url ?? url)),
  ];
}

function noFeed(found) {
  return h("div", { class: "note" }, h("p", {}, FOUND[found.outcome] ?? "No feed was found."), found.page_outcome && found.page_outcome !== "ok" && h("p", {}, `${outcome(found.page_outcome)}. ${advice(found.page_outcome)}`), found.detail && said(found.detail, "p"));
}

function siteFacts({ site, requests }) {
  return section(
    "The site",
    facts(
      ["Title", site.title ? said(site.title) : "none"],
      ["Address", address(site.canonical_url || site.url)],
      site.generator && ["Made with", said(site.generator)],
      site.language && ["Language", said(site.language)],
      ["Looked at", time(site.last_discovered_at), `, with ${counted(requests, "request")}`],
    ),
  );
}

function candidate(one, found) {
  const url = one.final_url ?? one.candidate_url;
  const isChosen = found.canonical?.candidate_url === one.candidate_url;
  const parts = Object.entries(one.parts ?? {}).filter(([, value]) => value);
  return h(
    "article",
    { class: isChosen ? "candidate chosen" : "candidate", "aria-label": one.title || url },
    h("h3", {}, one.title?.trim() ? said(one.title) : address(url), isChosen && " — the site’s own feed"),
    h("p", {}, address(url)),
    h("p", { class: "quiet" }, `${one.kind}, found by ${(one.source ?? "").replaceAll("_", " ")}`, one.why && [": ", said(one.why)], one.validation_status === "valid" ? [`. ${counted(one.item_count, "item")}, newest `, time(one.newest_item_at, "undated")] : `. ${outcome(one.last_error)}.`),
    one.validation_status === "valid" && follow(one, url),
    parts.length > 0 && h("details", {}, h("summary", {}, `Score ${one.score}`), bars(parts.map(([name, value]) => ({ label: name.replaceAll("_", " "), value: Math.abs(value), isAgainst: value < 0, kind: value < 0 ? "unhealthy" : "plain" })), `The parts of its score of ${one.score}`)),
  );
}

function follow(one, url) {
  const place = h("span", {}, one.feed_id && h("a", { href: `#/feeds/${one.feed_id}` }, "In the directory"));
  const done = (subscription) => {
    put(place, subscription.feed_id ? h("a", { href: `#/feeds/${subscription.feed_id}` }, "Followed: see the feed") : h("a", { href: "#/subscriptions" }, "Followed"));
    announce("Followed");
  };
  return h("p", { class: "actions" }, action("Follow", () => post("/v1/subscriptions", { url }), done), place);
}

function steps(url) {
  const place = h("div");
  const explain = () => put(place, filled(post("/v1/canonicalize", { url, explain: true, candidates: true }), decided));
  return [h("p", { class: "quiet" }, "Asks ", address(url), " again and shows each step."), h("button", { type: "button", onclick: explain }, "Show the steps"), place];
}

function decided(result) {
  return [
    result.url ? h("p", {}, "The clean address is ", address(result.url), h("span", { class: "quiet" }, ` (${result.reason.replaceAll("_", " ")})`)) : h("p", {}, `${outcome(result.outcome)}. ${advice(result.outcome)}`),
    result.explanation?.length > 0 && h("ol", {}, result.explanation.map((line) => said(line, "li"))),
    result.candidates?.length > 0 && h("ul", { class: "plain" }, result.candidates.map((one) => h("li", {}, address(one.url), ` ${one.state}, ${one.score}`))),
  ];
}
