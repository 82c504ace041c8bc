// Runs of the collector, newest first.

import { get } from "./api.js";
import { h } from "./dom.js";
import { paged } from "./paged.js";
import { time } from "./parts.js";
import { counted } from "./words.js";

const VERSION = "http_snapshot_url_v1_text_v1";
const KINDS = { urls: "A list of addresses", reprocessing: "Items of an older run, read again", standing: "Pages of feeds" };

export function view({ query, signal }) {
  const version = query.get("version") ?? VERSION;
  const page = async (cursor) => {
    const found = await get("/v1/runs", { query: { version, cursor, limit: 50 }, signal });
    return { things: found.runs, cursor: found.cursor };
  };
  return { title: "Runs", content: paged(page, row, { empty: h("p", {}, "There are no runs yet. ", h("a", { href: "#/pages?collect=1" }, "Collect pages"), " to begin."), label: "Runs" }) };
}

function row(run) {
  return h(
    "li",
    { class: "row" },
    h("a", { class: "row-name", href: `#/runs/${run.id}` }, `${KINDS[run.kind] ?? run.kind}: ${run.status}`),
    h("div", { class: "row-line quiet" }, counted(run.counters.items, "item"), " · ", run.pages === null ? counted(run.ended, "page") : `${run.ended} of ${counted(run.pages, "page")}`, " · ", time(run.created_at)),
  );
}
