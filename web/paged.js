// A list that is loaded page by page.

import { wasStopped } from "./api.js";
import { h, put } from "./dom.js";
import { button, trouble } from "./parts.js";

const AT_ONCE = 25;

/**
 * A list that is loaded page by page. `page(cursor)` gives {things, cursor}; `row(thing)` gives a list item; `empty` is
 * shown for none. The button at its end moves the focus to the next row. Each 25 rows are a separate list: a list out of
 * sight is not drawn. One that comes into sight is drawn at once, so it must be short; 2,000 rows of their own cost more.
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
      for (let at = 0; at < rows.length; at += AT_ONCE) lists.append(listOf(rows.slice(at, at + AT_ONCE), label));
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

function listOf(rows, label) {
  return h("ul", { class: rows.length === AT_ONCE ? "rows many" : "rows", "aria-label": label }, rows);
}

// “Back” returns to as many pages as were shown.
function keepPages(label, loaded, rows) {
  history.replaceState({ ...history.state, pages: { ...history.state?.pages, [label]: loaded } }, "");
  rows[0]?.querySelector("a, button")?.focus();
}
