// The page: finds the view for the address, shows it, and manages title, focus and scroll position.

import { ApiError, onRefusal, wasStopped } from "./api.js";
import { h, put } from "./dom.js";
import { again, tick, trouble } from "./parts.js";

// Each view is a module, loaded when it is first shown. Its `view({params, query, signal})` returns {title, content};
// the heading shows the title.
const ROUTES = [
  ["/", () => import("./home.js")],
  ["/look", () => import("./look.js")],
  ["/feeds", () => import("./feeds.js")],
  ["/feeds/:id", () => import("./feed.js")],
  ["/subscriptions", () => import("./subscriptions.js")],
  ["/imports", () => import("./imports.js")],
  ["/imports/:id", () => import("./import.js")],
  ["/exports", () => import("./exports.js")],
  ["/pages", () => import("./frontier.js")],
  ["/runs", () => import("./runs.js")],
  ["/runs/:id", () => import("./run.js")],
  ["/items/:id", () => import("./item.js")],
  ["/webhooks", () => import("./webhooks.js")],
  ["/webhooks/:id", () => import("./webhook.js")],
  ["/queues", () => import("./queues.js")],
  ["/key", () => import("./key.js")],
  ["/keys", () => import("./keys.js")],
];
const NAV = [
  ["/", "Find"],
  ["/feeds", "Directory"],
  ["/subscriptions", "Following"],
  ["/imports", "Import"],
  ["/exports", "Export"],
  ["/pages", "Pages"],
  ["/runs", "Runs"],
  ["/webhooks", "Webhooks"],
  ["/queues", "Queues"],
  ["/key", "Key"],
];
const main = document.getElementById("main");
const scrolls = new Map();
const TOP = "feedward-top";
let running = new AbortController();
let here = null;

function matched(path) {
  for (const [pattern, load] of ROUTES) {
    const names = [];
    const expression = pattern.replace(/:(\w+)/g, (_, name) => (names.push(name), "([^/]+)"));
    const found = new RegExp(`^${expression}$`).exec(path);
    if (found) return paramsOf(names, found, load);
  }
  return null;
}

// An address that was cut or mistyped may have a part that cannot be decoded, or that is not an id: it has no view.
function paramsOf(names, found, load) {
  try {
    const parts = names.map((name, index) => [name, decodeURIComponent(found[index + 1])]);
    return parts.some(([, part]) => part.includes("/")) ? null : { load, params: Object.fromEntries(parts) };
  } catch {
    return null;
  }
}

/** Shows the view of the address. The previous view is stopped, with all its requests. */
async function show() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  if (here !== null) scrolls.set(here, window.scrollY);
  main.setAttribute("aria-busy", "true");
  const isFirst = here === null;
  here = history.state?.place ?? newPlace();
  const [, path, query] = /^([^?]*)\??(.*)$/s.exec(location.hash.slice(1) || "/");
  markNav(path);
  try {
    const shown = await made(path, new URLSearchParams(query), signal);
    if (signal.aborted) return;
    settle(shown, isFirst);
  } catch (error) {
    if (!signal.aborted && !wasStopped(error)) settle({ title: "That did not work", content: explained(error) }, isFirst);
  }
}

async function made(path, query, signal) {
  const route = matched(path);
  if (!route) return { title: "This page does not exist", content: h("p", {}, h("a", { href: "#/" }, "Go to the start.")) };
  const { view } = await route.load();
  return view({ params: route.params, query, signal });
}

// A module that cannot be loaded belongs to a version that is no longer deployed.
function explained(error) {
  if (error instanceof ApiError) return [trouble(error), again(error)];
  return [h("p", {}, "The page was updated, or the server cannot be reached."), h("button", { type: "button", onclick: () => location.reload() }, "Reload")];
}

function settle({ title, content }, isFirst) {
  const heading = h("h1", { tabindex: "-1", dir: "auto" }, title);
  put(main, heading, content);
  main.dataset.view = location.hash;
  main.removeAttribute("aria-busy");
  document.title = title === "feedward" ? title : `${title} – feedward`;
  const known = isFirst ? topBefore(here) : scrolls.get(here);
  if (known !== undefined) returnTo(known, running.signal);
  else if (!isFirst) {
    window.scrollTo(0, 0);
    if (!main.querySelector("[data-focus]")) heading.focus({ preventScroll: true });
  }
  main.querySelector("[data-focus]")?.focus({ preventScroll: true });
}

// A reload returns to its place.
function topBefore(place) {
  const [known, top] = JSON.parse(sessionStorage.getItem(TOP) ?? "[]");
  return known === place ? top : undefined;
}

// Lists are filled after their view is shown: the place is looked for until it exists, or the person moves on.
function returnTo(top, signal) {
  window.scrollTo(0, top);
  const watch = new ResizeObserver(() => {
    window.scrollTo(0, top);
    if (window.scrollY >= Math.floor(top)) watch.disconnect();
  });
  watch.observe(main);
  for (const moved of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(moved, () => watch.disconnect(), { once: true, signal, passive: true });
  signal.addEventListener("abort", () => watch.disconnect(), { once: true });
}

function newPlace() {
  const place = `${Date.now()}-${scrolls.size}`;
  history.replaceState({ place }, "");
  return place;
}

function markNav(path) {
  for (const link of document.querySelectorAll("#nav a")) {
    const target = link.getAttribute("href").slice(1);
    const isHere = target === path || (target !== "/" && path.startsWith(`${target}/`));
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

put(document.getElementById("nav"), h("ul", {}, NAV.map(([path, words]) => h("li", {}, h("a", { href: `#${path}` }, words)))));
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
// The view that was refused is replaced: “back” must not lead to it again.
onRefusal(() => {
  if (!/^#\/key(?![^?])/.test(location.hash)) location.replace(`#/key?from=${encodeURIComponent(location.hash.slice(1) || "/")}`);
});
addEventListener("hashchange", show);
addEventListener("pagehide", () => sessionStorage.setItem(TOP, JSON.stringify([here, window.scrollY])));
setInterval(() => document.hidden || tick(), 15_000);
history.scrollRestoration = "manual";
show();
