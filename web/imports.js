// Imports: a new one from a file or a pasted text, and the existing ones.

import { get, postFile } from "./api.js";
import { h, put } from "./dom.js";
import { paged } from "./paged.js";
import { field, form, said, section, select, time } from "./parts.js";
import { bytes, counted } from "./words.js";

export const LARGEST = 4_000_000;

export function view({ signal }) {
  const page = async (cursor) => {
    const found = await get("/v1/imports", { query: { cursor, limit: 50 }, signal });
    return { things: found.imports, cursor: found.cursor };
  };
  return { title: "Import", content: [sending(), section("Imports", paged(page, row, { empty: h("p", {}, "Nothing was imported yet."), label: "Imports" }))] };
}

function sending() {
  const file = h("input", { type: "file" });
  const text = h("textarea", { spellcheck: "false" });
  let into = "subscriptions";
  const target = select([["subscriptions", "what I follow"], ["directory", "the shared directory (seed files)"]], into, (value) => (into = value));
  const send = async () => {
    const chosen = file.files[0];
    const body = chosen ? await chosen.arrayBuffer() : new TextEncoder().encode(text.value);
    if (!body.byteLength) return h("p", { class: "trouble", role: "alert" }, chosen ? "The file is empty." : "Choose a file, or paste addresses.");
    if (body.byteLength > LARGEST) return tooLarge(chosen);
    const started = await postFile("/v1/imports", body, "application/octet-stream", { query: { name: chosen?.name ?? "pasted text", into } });
    location.hash = `#/imports/${started.id}`;
    return null;
  };
  return form(
    send,
    h("p", {}, "OPML, a seed file, CSV, or one address a line."),
    field("File", file),
    field("Or text", text, "Used if no file is chosen."),
    field("Into", target),
    h("button", { type: "submit" }, "Import"),
  );
}

function tooLarge(chosen) {
  return h("div", { class: "trouble", role: "alert" }, h("p", {}, said(chosen?.name ?? "The text"), ` has more than ${bytes(LARGEST)}. The command line takes files of up to 10 MB: `, h("code", {}, "feedward import FILE")));
}

function row(one) {
  return h(
    "li",
    { class: "row" },
    h("a", { class: "row-name", href: `#/imports/${one.id}` }, said(one.name || "without a name")),
    h("div", { class: "row-line quiet" }, one.status, " · ", counted(one.entries, "entry", "entries"), one.left > 0 && ` · ${counted(one.left, "entry", "entries")} left`, " · ", time(one.created_at)),
  );
}
