// An item: its content, its lineage as a graph, and its other sightings.

import { get } from "./api.js";
import { chain } from "./charts.js";
import { h } from "./dom.js";
import { paged } from "./paged.js";
import { address, ahead, facts, filled, said, section, time } from "./parts.js";
import { bytes, counted, moment } from "./words.js";

const REASONS = { same_canonical_uri: "same address", same_content_sha256: "same content" };

export async function view({ params, signal }) {
  const path = `/v1/items/${encodeURIComponent(params.id)}`;
  const edges = ahead(get(`${path}/edges`, { signal }));
  const links = ahead(get(`${path}/chain`, { signal }));
  const item = await get(path, { signal });
  return {
    title: item.title?.trim() || "An item without a title",
    content: [
      facts(
        ["Address", address(item.canonical_uri)],
        item.fetched_url !== item.canonical_uri && ["Fetched from", address(item.fetched_url)],
        ["Fetched", time(item.fetched_at), ` with status ${item.status}`],
        ["Text", item.text_length === null ? "not read" : counted(item.text_length, "character")],
        ["Body", bytes(item.body_bytes), item.content_type && [", ", said(item.content_type)]],
        ["Content", h("code", {}, item.content_sha256)],
        ["Run", h("a", { href: `#/runs/${item.run_id}` }, "the run that collected it")],
        ["Version", item.normalization_version],
      ),
      section("Lineage", filled(links, (found) => graph(found, item))),
      section("Seen", filled(edges, sightings)),
    ],
  };
}

function graph(found, item) {
  const links = found.links.map((link) => ({ label: moment(link.item.fetched_at), href: link.item.id === item.id ? null : `#/items/${link.item.id}`, edge: link.edge && REASONS[link.edge.metadata.reason] }));
  return [chain(links), found.cut && h("p", { class: "quiet" }, "Older ones are not shown.")];
}

function sightings(found) {
  if (!found.sightings.length) return h("p", {}, "Nowhere else.");
  const row = (one) => h("li", { class: "row" }, h("div", { class: "row-line" }, address(one.fetched_url), h("span", { class: "quiet" }, time(one.seen_at))));
  const page = async () => ({ things: found.sightings, cursor: null });
  return paged(page, row, { empty: "", label: "Where it was seen" });
}
