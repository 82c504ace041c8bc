// An import: its progress, the results of its entries, and the reasons of failures.

import { get } from "./api.js";
import { bars } from "./charts.js";
import { h, put } from "./dom.js";
import { paged } from "./paged.js";
import { address, announce, facts, named, said, section, time } from "./parts.js";
import { stopped, until } from "./progress.js";
import { bytes, counted } from "./words.js";

const RESULTS = {
  created: "new in the directory",
  joined: "known already",
  merged: "leads to a feed that you follow",
  pending: "being searched",
  failed: "without a feed",
  invalid: "not understood",
};

export async function view({ params, query, signal }) {
  const path = `/v1/imports/${encodeURIComponent(params.id)}`;
  const first = await get(path, { signal });
  const place = h("div");
  const show = (one) => put(place, progress(one));
  show(first);
  const isOver = (one) => one.status === "failed" || (one.status === "done" && one.results.pending === 0);
  const result = query.get("result") ?? "";
  const page = async (cursor) => {
    const found = await get(`${path}/entries`, { query: { result, cursor, limit: 50 }, signal });
    return { things: found.entries, cursor: found.cursor };
  };
  const entries = h("div");
  const list = () => put(entries, paged(page, row, { empty: h("p", {}, "None."), label: "Entries" }));
  list();
  const ended = (one) => {
    list();
    announce(`The import has ended: ${counted(one.entries, "entry", "entries")}`);
  };
  if (!isOver(first)) until(() => get(path, { signal }), isOver, { signal, each: show }).then(ended).catch(stopped(place));
  const choices = [["", "all"], ...Object.entries(RESULTS)];
  const links = h("ul", { class: "together plain" }, choices.map(([value, words]) => h("li", {}, h("a", { class: "button", href: `#/imports/${params.id}${value ? `?result=${value}` : ""}`, "aria-current": value === result ? "true" : null }, words))));
  return {
    title: `Import of ${first.name?.trim() || "a file"}`,
    content: [place, section("Entries", links, entries)],
  };
}

function progress(one) {
  const done = one.entries - one.left;
  const bar = h("progress", { max: Math.max(1, one.entries), "aria-label": "Entries done" });
  if (one.entries || one.status === "done") bar.value = one.status === "done" ? Math.max(1, one.entries) : done;
  const rows = Object.entries(RESULTS).map(([name, label]) => ({ label, value: one.results[name], kind: name === "failed" || name === "invalid" ? "unhealthy" : name === "pending" ? "degraded" : "healthy" }));
  return [
    bar,
    h("p", {}, state(one), one.reason && [" ", said(one.reason)]),
    facts(["Begun", time(one.created_at)], ["Kind", one.kind ?? "not known yet"], ["Size", bytes(one.bytes)], ["Into", one.into === "directory" ? "the shared directory" : "what you follow"]),
    bars(rows, `Results of ${counted(one.entries, "entry", "entries")}`),
  ];
}

function state(one) {
  if (one.status === "done" && one.results.pending > 0) return `Read. ${counted(one.results.pending, "site")} still searched for a feed; you can leave this page.`;
  const words = { uploading: "Waiting for the file.", waiting: "Queued.", running: "Running; you can leave this page.", done: "Done.", failed: "It failed." };
  return words[one.status] ?? one.status;
}

function row(entry) {
  const title = entry.title?.trim() || (entry.url?.trim() ? "" : "without an address");
  return h(
    "li",
    { class: "row" },
    named(entry.feed_id, title, entry.url),
    h("div", { class: "row-line" }, title && entry.url && address(entry.url, 70), entry.tags.length > 0 && h("span", { class: "quiet" }, said(entry.tags.join(", ")))),
    h("div", { class: "row-line quiet" }, `line ${entry.line}: ${RESULTS[entry.result] ?? "not processed yet"}`, entry.reason && [" — ", said(entry.reason)]),
  );
}
