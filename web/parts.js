// Common parts of the views: badges, times, addresses, rows of feeds, paged lists, messages.

import { mayPass, wasStopped } from "./api.js";
import { h, newId, put, s } from "./dom.js";
import { MEANS, ago, cut, exact, nextStep, now, outcome, stateOf, webAddress } from "./words.js";

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
  return h("time", { datetime: new Date(at * 1000).toISOString(), title: exact(at), "data-at": at }, ago(at));
}

/** Updates the ages on the page, some at a time: with 2,000 rows all of them together would stop a scroll. */
export function tick() {
  const left = [...document.querySelectorAll("time[data-at]")];
  const some = () => {
    for (const element of left.splice(0, 200)) {
      const words = ago(Number(element.dataset.at));
      if (element.textContent !== words) element.textContent = words;
    }
    if (left.length) setTimeout(some, 50);
  };
  some();
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
  const [next, detail] = [nextStep(code), String(error.problem?.detail ?? error.message ?? "")];
  const isNews = detail && !next.toLowerCase().includes(detail.toLowerCase());
  const details = [isNews && detail, error.problem?.field && `Field: ${error.problem.field}`].filter(Boolean);
  return h(
    "div",
    { class: "trouble", role: "alert" },
    h("p", {}, h("strong", {}, next)),
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

const EVERY_MS = 60_000;

/** Calls `act` each minute while the page is seen, and when it is seen again after longer. */
function whileSeen(act, signal) {
  if (signal.aborted) return;
  let last = Date.now();
  const look = () => {
    if (document.hidden || Date.now() - last < EVERY_MS) return;
    last = Date.now();
    act();
  };
  const timer = setInterval(look, 5000);
  document.addEventListener("visibilitychange", look, { signal });
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/**
 * A place that stays current while it is looked at: `ask()` gives a document, first the one of `begun`, and `view` its
 * content. It changes only if the document does, and not under the hands of a person. A failure leaves it as it is.
 */
export function live(ask, view, { signal, begun = ask(), waiting }) {
  let [shown, at] = [null, now()];
  const made = (found) => ((shown = JSON.stringify(found)), view(found));
  const content = h("div", {}, filled(begun, made, { waiting }));
  const note = h("p", { class: "quiet" });
  const refresh = async () => {
    const found = await ask().catch(() => null);
    if (signal.aborted) return;
    if (found === null) return put(note, "This could not be updated; it was so ", time(at), ".");
    put(note);
    at = now();
    if (JSON.stringify(found) === shown || isInUse(content)) return;
    const open = [...content.querySelectorAll("details")].map((one) => one.open);
    put(content, made(found));
    for (const [index, one] of content.querySelectorAll("details").entries()) one.open = open[index] ?? false;
  };
  whileSeen(refresh, signal);
  return h("div", {}, content, note);
}

// Where the focus or a selected text is, nothing may be replaced.
function isInUse(place) {
  const selected = getSelection();
  return place.contains(document.activeElement) || (!selected.isCollapsed && selected.containsNode(place, true));
}

/** A button for an action: waits, announces the result, or shows the error next to it. */
export function action(words, act, done, properties) {
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
  }, properties);
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
  const place = h("span", { class: "together", onkeydown: (event) => event.key === "Escape" && !first.isConnected && start() });
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
