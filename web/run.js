// A run: its progress, the results of its pages, and its items.

import { get } from "./api.js";
import { bars } from "./charts.js";
import { h, put } from "./dom.js";
import { paged } from "./paged.js";
import { address, facts, said, section, time } from "./parts.js";
import { stopped, until } from "./progress.js";
import { counted } from "./words.js";

const COUNTERS = {
  items: "new items",
  sightings: "known already",
  not_modified: "unchanged",
  superseded: "superseded older ones",
  duplicates: "the same content elsewhere",
  conflicts: "two matches, one chosen",
  refused: "refused",
  dead: "could not be fetched",
};

export async function view({ params, signal }) {
  const path = `/v1/runs/${encodeURIComponent(params.id)}`;
  const first = await get(path, { signal });
  const place = h("div");
  const show = (run) => put(place, progress(run));
  show(first);
  const isOver = (run) => run.status === "done" || run.status === "stopped" || run.kind === "standing";
  const page = async (cursor) => {
    const found = await get("/v1/items", { query: { run: params.id, cursor, limit: 50 }, signal });
    return { things: found.items, cursor: found.cursor };
  };
  const items = h("div");
  const list = () => put(items, paged(page, itemRow, { empty: h("p", {}, "No items yet."), label: "Items" }));
  list();
  if (!isOver(first)) until(() => get(path, { signal }), isOver, { signal, each: show }).then(list).catch(stopped(place));
  return { title: "A run", content: [place, section("Items", items)] };
}

function progress(run) {
  const bar = run.pages !== null && h("progress", { max: Math.max(1, run.pages), "aria-label": "Pages done" });
  if (bar) bar.value = run.ended;
  const rows = Object.entries(COUNTERS).map(([name, label]) => ({ label, value: run.counters[name], kind: name === "dead" || name === "refused" ? "unhealthy" : "plain" }));
  return [
    bar,
    facts(["Status", run.status], ["Begun", time(run.created_at)], ["Pages", run.pages === null ? counted(run.ended, "page") : `${run.ended} of ${run.pages}`], ["Version", run.normalization_version], run.reprocessing_of_run_id && ["Reads again", h("a", { href: `#/runs/${run.reprocessing_of_run_id}` }, "an older run")]),
    bars(rows, `Results of ${counted(run.ended, "page")}`),
  ];
}

export function itemRow(item) {
  return h("li", { class: "row" }, h("a", { class: "row-name", href: `#/items/${item.id}` }, said(item.title || item.canonical_uri)), h("div", { class: "row-line" }, address(item.canonical_uri, 70), h("span", { class: "quiet" }, time(item.fetched_at))));
}
