// Pages to collect: the failed ones by reason; redirect failures separate from dead addresses.

import { get, post } from "./api.js";
import { bars } from "./charts.js";
import { h } from "./dom.js";
import { paged } from "./paged.js";
import { announce, address, field, filled, form, said, section, select, time } from "./parts.js";
import { FAILURES, REDIRECT_FAILURES, advice, counted, outcome } from "./words.js";

// The counts are kept for a while: a page that has just failed is not among them.
const COUNTED = () => h("p", { class: "quiet" }, "Counted within the last 5 minutes.");

export function view({ query, signal }) {
  const reason = query.get("reason");
  const url = query.get("url");
  return {
    title: reason ? `Pages: ${outcome(reason).toLowerCase()}` : "Pages",
    content: [submission(query.has("collect")), chooser(reason), reason || url ? rows(reason, url, signal) : overview(signal)],
  };
}

function overview(signal) {
  return filled(get("/v1/stats", { query: { parts: "frontier" }, signal }), (stats) => {
    if (!stats.frontier.length) return [h("p", {}, "No page has failed."), COUNTED()];
    const rows = (isWanted) => stats.frontier.filter(({ reason }) => isWanted(reason)).map(({ reason, count, more }) => ({ label: outcome(reason), value: count, more, kind: "unhealthy", href: `#/pages?reason=${reason}` }));
    const redirects = rows((code) => REDIRECT_FAILURES.includes(code));
    const others = rows((code) => !REDIRECT_FAILURES.includes(code));
    return [
      redirects.length > 0 && section("Redirects that fail", bars(redirects, "Pages whose redirects lead nowhere, by reason")),
      others.length > 0 && section("Pages that fail", bars(others, "Pages that cannot be fetched, by reason")),
      COUNTED(),
    ];
  });
}

function chooser(reason) {
  const choices = [["", "all"], ...FAILURES.map((code) => [code, outcome(code)])];
  let chosen = reason ?? "";
  const submit = (event) => {
    event.preventDefault();
    location.hash = chosen ? `#/pages?reason=${chosen}` : "#/pages";
  };
  return h("form", { class: "filters", onsubmit: submit }, field("Failed because of", select(choices, chosen, (value) => (chosen = value))), h("div", { class: "field" }, h("button", { type: "submit" }, "Show")));
}

function rows(reason, url, signal) {
  const page = async (cursor) => {
    const found = await get("/v1/frontier", { query: { last_error: reason, url, cursor, limit: 50 }, signal });
    return { things: found.rows, cursor: found.cursor };
  };
  const label = reason ? `Pages that failed: ${outcome(reason)}` : "Pages of this address";
  return [advice(reason) && h("p", { class: "note" }, advice(reason)), paged(page, row, { empty: h("p", {}, "None."), label })];
}

export function row(one) {
  return h(
    "li",
    { class: "row" },
    h("div", { class: "row-line" }, address(one.url)),
    h("div", { class: "row-line quiet" }, one.status, one.last_error && [": ", said(outcome(one.last_error))], one.http_status && ` (${one.http_status})`, ` after ${counted(one.attempts, "attempt")}`, one.next_fetch_at && [" · again ", time(one.next_fetch_at)]),
    one.item_id && h("a", { href: `#/items/${one.item_id}` }, "Its item"),
  );
}

function submission(isOpen) {
  const text = h("textarea", { spellcheck: "false", required: true });
  const submit = async () => {
    const { results } = await post("/v1/frontier", { urls: text.value.split(/\s+/).filter(Boolean) });
    const taken = counted(results.filter((one) => !one.error).length, "page");
    announce(`${taken} taken`);
    return [h("p", {}, `${taken} will be fetched soon.`), h("ul", { class: "rows" }, results.map((one) => (one.row ? row(one.row) : h("li", { class: "row" }, `${one.error.field}: `, said(one.error.detail)))))];
  };
  return h("details", { open: isOpen }, h("summary", {}, "Collect pages"), form(submit, field("Addresses", text, "One a line, up to 500"), h("button", { type: "submit" }, "Collect")));
}
