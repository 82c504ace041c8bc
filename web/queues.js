// What waits in the queues, and what could not be done at all.

import { get } from "./api.js";
import { table } from "./charts.js";
import { h } from "./dom.js";
import { filled } from "./parts.js";
import { number } from "./words.js";

const DOES = { discover: "Looks for feeds", health: "Checks of feeds", frontier: "Pages, imports and exports", webhooks: "Webhooks", index: "Changes for the search", schedules: "Calls by the clock" };

export function view({ signal }) {
  return {
    title: "Queues",
    content: filled(get("/v1/stats", { query: { parts: "queues" }, signal }), (stats) => {
      if (stats.queues === null) return h("p", {}, "Queues hold the work of all tenants: only a key with the scope operator sees them.");
      const rows = stats.queues.map((queue) => [DOES[queue.name] ?? queue.name, number(queue.waiting), number(queue.in_work), number(queue.dead_letters)]);
      const dead = stats.queues.reduce((sum, queue) => sum + queue.dead_letters, 0);
      return [
        h("p", { class: dead ? "note" : "" }, dead ? `${number(dead)} messages could not be done after several attempts. docs/operations.md says how to look at them and send them again.` : "No message has failed for good."),
        table(["Work", "Waiting", "In work", "Failed for good"], rows, "Queues"),
      ];
    }),
  };
}
