// The start: search as you type, or paste an address; the directory at a glance; feeds that fail.

import { get, postFile, wasStopped } from "./api.js";
import { bars, checksByHour } from "./charts.js";
import { h, put } from "./dom.js";
import { ahead, announce, feedName, feedRow, live, marked, said, section, shape, trouble } from "./parts.js";
import { STATES, counted, countsOf, listAt, looksLikeAddress, number } from "./words.js";

const TYPING_MS = 150;
const ACTIVITY = "checks,subscriptions";

export function view({ query, signal }) {
  // One request at first: a third one at the same time would wait for a new environment of the API's function.
  const both = ahead(get("/v1/stats", { query: { parts: `directory,${ACTIVITY}` }, signal }));
  const work = () => get("/v1/stats", { query: { parts: ACTIVITY }, signal });
  const directory = async () => feedsOf(await get("/v1/stats", { query: { parts: "directory" }, signal }), work, signal);
  const counts = ahead(both.then((stats) => feedsOf(stats, () => both, signal)));
  const failed = () => get("/v1/feeds", { query: { state: "unhealthy", limit: 5 }, signal });
  const begun = both.then(async ({ checks, subscriptions }) => (isIdle({ checks, subscriptions }) && (await counts).isEmpty ? null : { checks, subscriptions }));
  // If nothing can be read, one message is enough.
  const unless = (promise) => promise.catch((error) => counts.then(() => Promise.reject(error), () => null));
  const results = h("div", { class: "results" });
  return {
    title: "Find a feed",
    content: [
      searchForm(query.get("q") ?? "", results, signal),
      results,
      h("div", { class: "glance" }, live(directory, atAGlance, { signal, begun: counts, waiting: "Looking at the directory…" }), live(work, checks, { signal, begun: unless(begun), waiting: "" })),
      live(failed, failing, { signal, begun: unless(failed()), waiting: "" }),
    ],
  };
}

// The index counts with a short delay. If it has no counts, the directory itself is queried.
async function feedsOf({ directory }, work, signal) {
  if (countsOf(directory).some(([, count]) => count > 0)) return { directory, isEmpty: false };
  const { feeds } = await get("/v1/feeds", { query: { limit: 1 }, signal });
  return { directory: null, isEmpty: feeds.length === 0 && (await work()).subscriptions.count === 0 };
}

function isIdle({ checks, subscriptions }) {
  return subscriptions.count === 0 && checks.every((hour) => hour.ok + hour.unchanged + hour.failed === 0);
}

function searchForm(text, results, signal) {
  const box = h("input", { type: "search", id: "q", name: "q", value: text, autocomplete: "off", spellcheck: "false", enterkeyhint: "search", "data-focus": text ? "" : null });
  let asked = new AbortController();
  let timer;
  signal.addEventListener("abort", () => clearTimeout(timer));
  const find = () => {
    asked.abort();
    asked = new AbortController();
    signal.addEventListener("abort", () => asked.abort(), { once: true });
    history.replaceState(history.state, "", box.value ? `#/?q=${encodeURIComponent(box.value)}` : "#/");
    showResults(box.value.trim(), results, asked.signal);
  };
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, TYPING_MS);
  });
  const submit = (event) => {
    event.preventDefault();
    clearTimeout(timer);
    const typed = box.value.trim();
    if (looksLikeAddress(typed)) location.hash = `#/look?url=${encodeURIComponent(typed)}`;
    else find();
  };
  if (text) find();
  return h(
    "form",
    { role: "search", class: "search", onsubmit: submit },
    h("label", { for: "q" }, "Words, or the address of a site or feed"),
    h("div", { class: "together" }, box, h("button", { type: "submit" }, "Find")),
  );
}

async function showResults(text, results, signal) {
  if (!text) {
    results.removeAttribute("aria-busy");
    return put(results);
  }
  results.setAttribute("aria-busy", "true");
  try {
    const found = await get("/v1/search", { query: { q: text, limit: 20 }, signal });
    put(results, looksLikeAddress(text) && lookLink(text), resultList(found, text));
    announce(counted(found.results.length, "result"));
  } catch (error) {
    if (wasStopped(error)) return;
    put(results, looksLikeAddress(text) && lookLink(text), trouble(error));
  }
  results.removeAttribute("aria-busy");
}

function lookLink(text) {
  return h("p", {}, h("a", { class: "button", href: `#/look?url=${encodeURIComponent(text)}` }, "Search for the feeds of this address"));
}

function resultList(found, text) {
  if (!found.results.length) return h("p", {}, "Nothing in the directory has “", said(text), "”. Paste the address of a site to search for its feeds.");
  const corrected = Object.entries(found.corrected ?? {});
  return [
    corrected.length > 0 && h("p", { class: "quiet" }, "Shown for ", corrected.map(([typed, meant], index) => [index > 0 && ", ", "“", said(meant), "” in place of “", said(typed), "”"]), "."),
    h("ul", { class: "rows", "aria-label": "Results" }, found.results.map(result)),
  ];
}

function result({ feed, highlights }) {
  const inTitle = highlights.filter((one) => one.field === "title");
  const title = said(inTitle.length ? marked(feed.title, inTitle.map((one) => [one.start, one.end])) : feedName(feed));
  return feedRow(feed, title);
}

function atAGlance({ directory, isEmpty }) {
  if (isEmpty) return firstRun();
  if (!directory) return section("The directory", h("p", { class: "quiet" }, "Its feeds are being counted; look again in a minute."));
  const shown = countsOf(directory).filter(([list, count]) => STATES.includes(list) || count > 0);
  const rows = shown.map(([list, count]) => ({ label: list, value: count, kind: STATES.includes(list) ? list : "none", href: listAt(list) }));
  const all = rows.reduce((sum, row) => sum + row.value, 0);
  return section("The directory", verdict(directory.by_state), bars(rows, `${counted(all, "feed")} by state`));
}

function verdict({ healthy, degraded, unhealthy }) {
  const [state, words] =
    healthy + degraded + unhealthy === 0
      ? ["not fetched yet", "No feed is checked at present"]
      : unhealthy > 0
        ? ["unhealthy", `${counted(unhealthy, "feed has", "feeds have")} failed for long`]
        : degraded > 0
          ? ["degraded", `${counted(degraded, "feed fails", "feeds fail")} at present`]
          : ["healthy", "No feed fails"];
  return h("p", { class: "verdict" }, shape(state), words);
}

function checks(stats) {
  if (stats === null) return null;
  const { count, more } = stats.subscriptions;
  return section("Checks", checksByHour(stats.checks), h("p", {}, h("a", { href: "#/subscriptions" }, `You follow ${number(count)}${more ? " or more" : ""}`)));
}

function failing(page) {
  const feeds = page?.feeds ?? [];
  if (!feeds.length) return null;
  return section("Failing for a long time", h("ul", { class: "rows" }, feeds.map((feed) => feedRow(feed))), h("p", {}, h("a", { href: "#/feeds?state=unhealthy" }, "All of them")));
}

function firstRun() {
  const place = h("div");
  const take = async (event) => {
    event.target.disabled = true;
    try {
      const file = await fetch(new URL("./feed-directory.json", import.meta.url));
      const started = await postFile("/v1/imports", await file.text(), "application/json", { query: { into: "directory", name: "starter directory" } });
      location.hash = `#/imports/${started.id}`;
    } catch (error) {
      put(place, trouble(error));
      event.target.disabled = false;
    }
  };
  return section(
    "The directory is empty",
    h("p", {}, "Three ways in:"),
    h(
      "ol",
      { class: "ways" },
      h("li", {}, h("strong", {}, "Paste the address"), " of a site or a feed into the field above."),
      h("li", {}, h("strong", {}, h("a", { href: "#/imports" }, "Import a file")), ": OPML of your feed reader, CSV, or a list of addresses."),
      h("li", {}, h("strong", {}, "Take the starter directory"), ": well-known feeds by category and language. ", h("button", { type: "button", onclick: take }, "Take it"), place),
    ),
  );
}
