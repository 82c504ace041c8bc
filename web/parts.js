// Common parts of the views: badges, times, addresses, rows of feeds, paged lists, messages.

import { mayPass, wasStopped } from "./api.js";
import { h, newId, put, s } from "./dom.js";
import { MEANS, ago, cut, moment, nextStep, now, outcome, stateOf, webAddress } from "./words.js";

// A shape for each state beside its word and colour.
const SHAPES = {
  healthy: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2z",
  degraded: "M8 2 15 14H1z",
  unhealthy: "M2 2h12v12H2z",
  paused: "M3 2h4v12H3zM9 2h4v12H9z",
  "not fetched yet": "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
};

export function shape(state) {
  return s("svg", { viewBox: "0 0 16 16", class: `shape is-${state.replaceAll(" ", "-")}`, "aria-hidden": "true" }, s("path", { d: SHAPES[state] ?? SHAPES.paused }));
}

export function stateBadge(feed) {
  const state = stateOf(feed);
  return h("span", { class: "badge", title: MEANS[state] }, shape(state), state, feed.stale && " · silent");
}

/** A time as a live age, with the full time as its tooltip. */
export function time(at, words = "never") {
  if (at === null || at === undefined) return words;
  return h("time", { datetime: new Date(at * 1000).toISOString(), title: moment(at), "data-at": at }, ago(at));
}

/** Updates the ages on the page. */
export function tick() {
  for (const element of document.querySelectorAll("time[data-at]")) {
    const words = ago(Number(element.dataset.at));
    if (element.textContent !== words) element.textContent = words;
  }
}

const WITHIN_A_LINE = 300;

/** Foreign text: its direction is isolated from the text around it, and it is cut if it is long within a line. */
export function said(text, element = "span", properties = {}) {
  const isWithin = element === "span" && typeof text === "string";
  return h(element, { dir: "auto", class: "said", ...properties }, isWithin ? cut(text, WITHIN_A_LINE) : text);
}

/** An address as a link, if it is one that a browser may open. */
export function address(url, length = 90) {
  const target = webAddress(url);
  const words = h("bdi", {}, cut(url, length));
  if (!target) return h("span", { class: "address", title: url }, words);
  return h("a", { class: "address", href: target, rel: "noreferrer noopener", target: "_blank", title: url }, words);
}

export function feedName(feed) {
  return feed.title?.trim() || feed.url;
}

export function feedRow(feed, title) {
  return h(
    "li",
    { class: "row" },
    h("a", { class: "row-name", href: `#/feeds/${feed.id}` }, title ?? said(feedName(feed))),
    h("div", { class: "row-line" }, stateBadge(feed), address(feed.url, 70)),
    h("div", { class: "row-line quiet" }, failureOf(feed) ?? newsOf(feed)),
  );
}

function failureOf(feed) {
  if (feed.consecutive_failures === 0 || feed.state === "paused") return null;
  return [outcome(feed.last_outcome), " since ", time(feed.first_failure_at ?? feed.unhealthy_since), " · next check ", time(feed.next_check_at)];
}

function newsOf(feed) {
  if (feed.never_fetched) return feed.next_check_at ? ["first check ", time(feed.next_check_at)] : null;
  return feed.latest_item_published_at ? ["newest item ", time(feed.latest_item_published_at)] : ["no dated item"];
}

/** The name of a row: a title, or the address alone, which is then not repeated. With an id it leads to the feed. */
export function named(feedId, title, url) {
  const name = said(title || cut(url, 70));
  if (feedId) return h("a", { class: "row-name", href: `#/feeds/${feedId}` }, name);
  return h("strong", { class: "row-name" }, title ? name : address(url, 70));
}

export function facts(...pairs) {
  const rows = pairs.filter(Boolean).map(([name, ...value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)));
  return h("dl", { class: "facts" }, rows);
}

export function section(title, ...children) {
  const id = newId("section");
  return h("section", { "aria-labelledby": id }, h("h2", { id }, title), children);
}

export function button(words, onclick, properties = {}) {
  return h("button", { type: "button", onclick, ...properties }, words);
}

export function field(label, control, hint) {
  const id = newId("field");
  control.id = id;
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, hint && h("p", { id: `${id}-hint`, class: "quiet" }, hint));
}

export function select(choices, chosen, onchange) {
  const options = choices.map(([value, words]) => h("option", { value, selected: value === chosen }, words));
  const control = h("select", { onchange: () => onchange(control.value) }, options);
  return control;
}

/** Announces results, not each tick, to screen readers. */
export function announce(words) {
  document.getElementById("said").textContent = words;
}

/** An error: what to do first, then what happened, and the id to report. */
export function trouble(error) {
  const code = error.code ?? "page_fault";
  const details = [error.problem?.detail ?? error.message, error.problem?.field && `Field: ${error.problem.field}`].filter(Boolean);
  return h(
    "div",
    { class: "trouble", role: "alert" },
    h("p", {}, h("strong", {}, nextStep(code))),
    details.map((detail) => said(detail, "p")),
    error.requestId && h("p", { class: "quiet" }, "Request ", h("code", {}, error.requestId), " ", copyButton(error.requestId)),
  );
}

export function copyButton(text) {
  const control = button("Copy", async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false);
    control.textContent = isCopied ? "Copied" : "Select the text and copy it";
  });
  return control;
}

/** A button that shows the view of the address anew, if that may help. */
export function again(error) {
  return mayPass(error) && button("Try again", () => dispatchEvent(new Event("hashchange")));
}

/** A promise that is awaited later: its failure is not unhandled until then. */
export function ahead(promise) {
  promise.catch(() => {});
  return promise;
}

/** A place for a promise's content: first the waiting text, then the content, or the error. */
export function filled(promise, view, { waiting = "Loading…", element = "div" } = {}) {
  const place = h(element, { "aria-busy": "true" }, h("p", { class: "quiet" }, waiting));
  promise
    .then((document) => put(place, view(document)))
    .catch((error) => {
      if (!wasStopped(error)) put(place, trouble(error), again(error));
    })
    .finally(() => place.removeAttribute("aria-busy"));
  return place;
}

const FEW = 20;

/**
 * A list that is loaded page by page. `page(cursor)` gives {things, cursor}; `row(thing)` gives a list item; `empty` is
 * shown for none. The button at its end moves the focus to the next row. Each page is a separate list: a list
 * out of sight is not drawn, and 40 lists cost a browser less than 2,000 rows.
 */
export function paged(page, row, { empty, label }) {
  const lists = h("div");
  const place = h("div", { class: "paged", "aria-busy": "true" }, lists);
  const foot = h("div", { class: "foot" });
  place.append(foot);
  const known = history.state?.pages?.[label] ?? 1;
  let loaded = 0;
  const more = async (cursor, isAsked) => {
    put(foot, h("p", { class: "quiet" }, "Loading…"));
    try {
      const found = await page(cursor);
      const rows = found.things.map(row);
      if (rows.length) lists.append(h("ul", { class: rows.length > FEW ? "rows many" : "rows", "aria-label": label }, rows));
      loaded += 1;
      if (loaded < known && found.cursor) return more(found.cursor);
      put(foot, found.cursor && button("Show more", () => more(found.cursor, true)));
      if (isAsked) keepPages(label, loaded, rows);
      if (!lists.children.length) put(foot, empty);
    } catch (error) {
      if (!wasStopped(error)) put(foot, trouble(error), button("Try again", () => more(cursor, isAsked)));
    }
    place.removeAttribute("aria-busy");
  };
  more(null);
  return place;
}

// “Back” returns to as many pages as were shown.
function keepPages(label, loaded, rows) {
  history.replaceState({ ...history.state, pages: { ...history.state?.pages, [label]: loaded } }, "");
  rows[0]?.querySelector("a, button")?.focus();
}

/** A button for an action: waits, announces the result, or shows the error next to it. */
export function action(words, act, done) {
  const place = h("span", { class: "action" });
  const control = button(words, async () => {
    const refocus = focusKept(control);
    control.disabled = true;
    try {
      const result = await act();
      put(place, control);
      done(result);
    } catch (error) {
      if (!wasStopped(error)) put(place, control, trouble(error));
    }
    control.disabled = false;
    refocus();
  });
  place.append(control);
  return place;
}

// A button that is disabled or replaced loses the focus: it returns to the button, or to what is left around it.
function focusKept(control) {
  const around = [];
  for (let one = control; one && one.id !== "main"; one = one.parentElement) around.push(one);
  return () => {
    if (document.activeElement && document.activeElement !== document.body) return;
    const left = around.find((one) => one.isConnected);
    if (left && left !== control) left.tabIndex = -1;
    left?.focus({ preventScroll: true });
  };
}

/** A button for what cannot be undone: it only asks; the second button acts. `name` is the object, for screen readers. */
export function confirmed(words, sure, act, done, name) {
  const place = h("span", { class: "together" });
  const ask = () => {
    const second = action(sure, act, done);
    put(place, second, button("Keep it", start));
    second.querySelector("button").focus();
  };
  const first = button(words, ask, { "aria-label": `${words} ${name}` });
  const start = () => (put(place, first), first.focus());
  put(place, first);
  return place;
}

/** A form: `act` runs once at a time; what it gives, or its error, is shown at the end of the form. */
export function form(act, ...children) {
  const place = h("div");
  let isRunning = false;
  const submit = async (event) => {
    event.preventDefault();
    if (isRunning) return;
    isRunning = true;
    put(place, h("p", { class: "quiet" }, "Working…"));
    try {
      put(place, await act());
    } catch (error) {
      put(place, trouble(error));
    }
    isRunning = false;
  };
  return h("form", { onsubmit: submit }, children, place);
}

const FAILED_AT_MOST = 6;

/** Polls until `isDone`, with increasing pauses; resolves with the last answer. Errors that may pass are waited out. */
export async function until(ask, isDone, { signal, each: told = () => {} }) {
  for (let [wait, failed] = [500, 0]; ; wait = Math.min(wait * 1.3, 5000)) {
    try {
      const found = await ask();
      failed = 0;
      told(found);
      if (isDone(found)) return found;
    } catch (error) {
      failed += 1;
      if (!mayPass(error) || failed === FAILED_AT_MOST) throw error;
    }
    await pause(wait, signal);
  }
}

/** Shows why a progress bar has stopped. */
export function stopped(place) {
  return (error) => wasStopped(error) || place.append(h("div", {}, trouble(error), again(error)));
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(new DOMException("stopped", "AbortError"))), { once: true });
  });
}

/** A text with marks at the words of a search: offsets count characters, as the API does. */
export function marked(text, spans) {
  const signs = Array.from(text);
  const pieces = [];
  let at = 0;
  for (const [start, end] of spans) {
    pieces.push(signs.slice(at, start).join(""), h("mark", {}, signs.slice(start, end).join("")));
    at = end;
  }
  pieces.push(signs.slice(at).join(""));
  return pieces;
}

export function isSoon(at) {
  return at !== null && at - now() < 90;
}
