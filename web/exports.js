// Exports: subscriptions, or a part of the directory, as OPML, seed file or CSV.

import { download, get } from "./api.js";
import { h, put } from "./dom.js";
import { action, announce, field, select, trouble, until } from "./parts.js";
import { STATES, counted } from "./words.js";

const FORMATS = [["opml", "OPML, for feed readers"], ["json", "Seed file, for another feedward"], ["csv", "CSV, for a spreadsheet"]];

export function view({ signal }) {
  const wanted = { format: "opml", what: "followed", state: "" };
  const words = h("input", { type: "text", autocomplete: "off" });
  const tag = h("input", { type: "text", autocomplete: "off" });
  const topic = h("input", { type: "text", autocomplete: "off" });
  const place = h("div");
  const ask = () => download(`/v1/exports/${wanted.format}`, { query: { q: words.value.trim(), tag: tag.value.trim(), topic: topic.value.trim(), state: wanted.state }, signal });
  const run = async () => {
    const file = await ask();
    return file.job ? finished(file.job, place, signal) : save(file, wanted.format, place);
  };
  return {
    title: "Export",
    content: [
      h("p", {}, "Without a filter: all your subscriptions."),
      h(
        "div",
        { class: "filters" },
        field("Format", select(FORMATS, wanted.format, (value) => (wanted.format = value))),
        field("With the tag", tag),
        field("Found by these words", words),
        field("Topic", topic),
        field("State", select([["", "all"], ...STATES.map((state) => [state, state === "healthy" ? "healthy, or not fetched yet" : state])], "", (value) => (wanted.state = value))),
      ),
      h("div", { class: "actions" }, action("Export", run, () => announce("Exported"))),
      place,
    ],
  };
}

function save({ blob }, format, place) {
  const url = URL.createObjectURL(blob);
  const name = `feedward.${format}`;
  const link = h("a", { href: url, download: name, class: "button" }, `Save ${name}`);
  put(place, h("p", {}, link));
  link.click();
}

async function finished(job, place, signal) {
  const told = (one) => put(place, h("p", { role: "status" }, `A large export is being written: ${counted(one.feeds, "feed")} so far.`));
  const done = await until(() => get(`/v1/exports/jobs/${job.id}`, { signal }), (one) => one.status === "done" || one.status === "failed", { signal, each: told });
  if (done.status === "failed") put(place, trouble({ code: "internal_error", message: done.reason }));
  else put(place, h("p", {}, h("a", { class: "button", href: done.url, download: done.name }, `Save ${done.name}`)));
}
