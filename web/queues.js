// The messages in the queues, and those that failed for good.

import { get } from "./api.js";
import { table } from "./charts.js";
import { h } from "./dom.js";
import { filled, live, said, section, time } from "./parts.js";
import { cut, number } from "./words.js";

const DOES = { discover: "Searches for feeds", health: "Checks of feeds", frontier: "Pages, imports and exports", webhooks: "Webhooks", index: "Changes for the search", schedules: "Scheduled calls" };

const DEAD = ["discover", "frontier", "health", "webhooks"];
const LINKS = { check: "feeds", ItemsPublished: "feeds", RevivalRequested: "feeds", run: "runs", reprocess: "runs" };

export function view({ signal }) {
  return {
    title: "Queues",
    content: live(() => get("/v1/stats", { query: { parts: "queues" }, signal }), (stats) => {
      if (stats.queues === null) return h("p", {}, "Queues hold the work of all tenants: only a key with the scope operator sees them.");
      const rows = stats.queues.map((queue) => [DOES[queue.name] ?? said(cut(queue.name)), number(queue.waiting), number(queue.in_work), number(queue.dead_letters)]);
      const dead = stats.queues.reduce((sum, queue) => sum + queue.dead_letters, 0);
      const broken = stats.queues.filter((queue) => queue.dead_letters > 0 && DEAD.includes(queue.name));
      return [
        h("p", { class: dead ? "note" : "" }, dead ? `${number(dead)} messages failed after several attempts. docs/operations.md says how to look at them and send them again.` : "No message has failed for good."),
        table(["Work", "Waiting", "In work", "Failed for good"], rows, "Queues", [1, 2, 3]),
        broken.map((queue) => section(`Failed for good: ${DOES[queue.name]}`, filled(get("/v1/dead-letters", { query: { queue: queue.name }, signal }), letters))),
      ];
    }, { signal }),
  };
}

function letters({ dead_letters: found }) {
  if (!found.length) return h("p", {}, "They were removed meanwhile, or are being received. Reload to look again.");
  return h("ul", { class: "rows", "aria-label": "Messages" }, found.map(letter));
}

function letter(one) {
  const ids = one.ids.map((id) => h("li", {}, LINKS[one.kind] ? h("a", { href: `#/${LINKS[one.kind]}/${encodeURIComponent(id)}` }, h("code", {}, id)) : h("code", {}, id)));
  return h(
    "li",
    { class: "row" },
    h("strong", {}, one.kind ? said(one.kind) : "a message that cannot be read"),
    h("div", { class: "row-line quiet" }, "sent ", time(one.sent_at), ` · received ${number(one.receives)} times · `, h("code", {}, one.message_id)),
    ids.length > 0 && h("ul", { class: "plain" }, ids),
  );
}
