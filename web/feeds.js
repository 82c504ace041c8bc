// The directory: by state, domain and topic, page by page; actions on the feeds of a filter.

import { each, get, post } from "./api.js";
import { h, put } from "./dom.js";
import { paged } from "./paged.js";
import { announce, button, feedName, feedRow, field, said, select, trouble } from "./parts.js";
import { LISTS, counted } from "./words.js";

export function view({ query, signal }) {
  const chosen = { state: query.get("state"), domain: query.get("domain"), topic: query.get("topic"), stale: query.get("stale") };
  const shown = [];
  const page = async (cursor) => {
    const found = await get("/v1/feeds", { query: { ...chosen, ...LISTS[chosen.state], cursor, limit: 50 }, signal });
    shown.push(...found.feeds);
    acts.hidden = !shown.length;
    return { things: found.feeds, cursor: found.cursor };
  };
  const isFiltered = Object.values(chosen).some(Boolean);
  const empty = h("p", {}, isFiltered ? "No feed matches. " : "The directory is empty. ", h("a", { href: "#/" }, "Find one, or paste an address."));
  const acts = bulk(shown, chosen);
  return {
    title: chosen.state ? `Directory: ${chosen.state}` : "Directory",
    content: [filters(chosen), acts, paged(page, (feed) => feedRow(feed), { empty, label: "Feeds" })],
  };
}

// A choice alone leads nowhere: with the keyboard a list is walked one choice at a time.
function filters(chosen) {
  let { state, stale } = chosen;
  const domain = h("input", { type: "text", value: chosen.domain ?? "", autocomplete: "off", spellcheck: "false" });
  const topic = h("input", { type: "text", value: chosen.topic ?? "", autocomplete: "off" });
  const states = [["", "all"], ...Object.keys(LISTS).map((list) => [list, list])];
  const submit = (event) => {
    event.preventDefault();
    const wanted = Object.entries({ state, stale, domain: domain.value.trim(), topic: topic.value.trim() }).filter(([, value]) => value);
    const text = new URLSearchParams(wanted).toString();
    location.hash = text ? `#/feeds?${text}` : "#/feeds";
  };
  return h(
    "form",
    { class: "filters", onsubmit: submit },
    field("State", select(states, state ?? "", (value) => (state = value))),
    field("News", select([["", "any"], ["true", "silent for long"]], stale ?? "", (value) => (stale = value))),
    field("Domain", domain),
    field("Topic", topic),
    h("div", { class: "field" }, h("button", { type: "submit" }, "Filter")),
  );
}

const ACTS = [
  ["check", "Check all shown"],
  ["pause", "Pause all shown"],
  ["resume", "Resume all shown"],
];

function bulk(shown, chosen) {
  const place = h("div", { onkeydown: (event) => event.key === "Escape" && place.querySelector("[data-no]")?.click() });
  const offered = ACTS.filter(([act]) => (act === "resume") === (chosen.state === "paused"));
  const ask = (act, words, opener) => {
    const feeds = [...shown];
    const sure = button(`Yes, ${act} ${counted(feeds.length, "feed")}`, () => run(act, feeds, place), { class: "main" });
    put(place, h("p", {}, `${words}: ${counted(feeds.length, "feed")}. `, sure, " ", button("No", () => (put(place), opener.focus()), { "data-no": "" })));
    sure.focus();
  };
  return h("details", { hidden: true }, h("summary", {}, "Act on all shown"), h("p", { class: "actions" }, offered.map(([act, words]) => button(words, (event) => ask(act, words, event.target)))), place);
}

async function run(act, feeds, place) {
  const bar = h("progress", { max: feeds.length, "aria-label": "Progress" });
  bar.value = 0;
  const failed = h("ul", { class: "plain" });
  put(place, bar, failed);
  let done = 0;
  await each(feeds, async (feed) => {
    try {
      await post(`/v1/feeds/${feed.id}/${act}`, {});
      done += 1;
    } catch (error) {
      failed.append(h("li", {}, said(feedName(feed)), trouble(error)));
    }
    bar.value += 1;
  });
  const words = `${counted(done, "feed")} done, ${failed.children.length} not.`;
  bar.replaceWith(h("p", {}, words, act === "pause" && [" ", h("a", { href: "#/feeds?state=paused" }, "The paused ones can be resumed.")]));
  announce(words);
}
