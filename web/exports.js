// Exports: subscriptions, or a part of the directory, as OPML, seed file or CSV.

import { download, get } from "./api.js";
import { h, put } from "./dom.js";
import { action, announce, field, select, trouble } from "./parts.js";
import { until } from "./progress.js";
import { STATES, counted } from "./words.js";

const FORMATS = [["opml", "OPML, for feed readers"], ["json", "Seed file, for another feedward"], ["csv", "CSV, for a spreadsheet"]];

const MINE = "followed";

export function view({ signal }) {
  const wanted = { format: "opml", state: "" };
  const words = h("input", { type: "text", autocomplete: "off" });
  const tag = h("input", { type: "text", autocomplete: "off" });
  const topic = h("input", { type: "text", autocomplete: "off" });
  const place = h("div");
  const mine = [field("With the tag", tag)];
  const shared = [
    field("Found by these words", words),
    field("Topic", topic),
    field("State", select([["", "all"], ...STATES.map((state) => [state, state === "healthy" ? "healthy, or not fetched yet" : state])], "", (value) => (wanted.state = value))),
  ];
  const choose = (value) => {
    for (const one of mine) one.hidden = value !== MINE;
    for (const one of shared) one.hidden = value === MINE;
    wanted.what = value;
  };
  choose(MINE);
  // An empty tag stands for all subscriptions; without the parameter the shared directory is exported.
  const asked = () => (wanted.what === MINE ? `?${new URLSearchParams({ tag: tag.value.trim() })}` : "");
  const filters = () => (wanted.what === MINE ? {} : { q: words.value.trim(), topic: topic.value.trim(), state: wanted.state });
  const ask = () => download(`/v1/exports/${wanted.format}${asked()}`, { query: filters(), signal });
  const run = async () => {
    const file = await ask();
    return file.job ? finished(file.job, place, signal) : save(file, wanted.format, place);
  };
  return {
    title: "Export",
    content: [
      h("p", {}, "What you follow, all or with one tag; or the shared directory, all or a part of it."),
      h(
        "div",
        { class: "filters" },
        field("What", select([[MINE, "what I follow"], ["shared", "the shared directory"]], MINE, choose)),
        field("Format", select(FORMATS, wanted.format, (value) => (wanted.format = value))),
        mine,
        shared,
      ),
      h("div", { class: "actions" }, action("Export", run, () => announce("Exported"), { class: "main" })),
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
