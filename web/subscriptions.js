// Subscriptions: page by page, with the result of each; following one more, and unfollowing.

import { get, post, remove } from "./api.js";
import { h, put } from "./dom.js";
import { paged } from "./paged.js";
import { action, address, announce, field, form, named, said, time } from "./parts.js";
import { until } from "./progress.js";
import { sentence } from "./words.js";

const FAILURES = {
  no_feed: "No feed was found there.",
  refused: "The site refuses our requests.",
  unreachable: "The site cannot be reached.",
  blocked: "This address may not be fetched.",
  bad_url: "This address cannot be fetched.",
  given_up: "It was searched many times, and no search was completed.",
};

const WATCHED = 5;

export function view({ signal }) {
  const page = async (cursor) => {
    const found = await get("/v1/subscriptions", { query: { cursor, limit: 50 }, signal });
    return { things: found.subscriptions, cursor: found.cursor };
  };
  let watched = 0;
  const shown = (one) => (one.status === "pending" && ++watched <= WATCHED ? searched(one, signal) : row(one));
  const empty = h("p", {}, "You follow nothing yet. ", h("a", { href: "#/imports" }, "Import a file"), ", or type an address above.");
  return { title: "Following", content: [following(signal), paged(page, shown, { empty, label: "Subscriptions" })] };
}

function following(signal) {
  const url = h("input", { type: "text", inputmode: "url", autocomplete: "off", spellcheck: "false", required: true });
  const tags = h("input", { type: "text", autocomplete: "off" });
  const follow = async () => {
    const names = tags.value.split(",").map((tag) => tag.trim()).filter(Boolean);
    const made = await post("/v1/subscriptions", { url: url.value.trim(), ...(names.length ? { tags: names } : {}) });
    announce("Followed");
    url.value = "";
    return h("ul", { class: "rows" }, made.status === "pending" ? searched(made, signal) : row(made));
  };
  return form(follow, field("Address of a site or feed", url), field("Tags", tags, "Separated by commas"), h("button", { type: "submit" }, "Follow"));
}

// A row whose search is awaited: it changes as soon as the search is over.
function searched(subscription, signal) {
  const place = row(subscription);
  const over = (one) => place.isConnected && !place.contains(document.activeElement) && place.replaceWith(row(one));
  until(() => get(`/v1/subscriptions/${subscription.id}`, { signal }), (one) => one.status !== "pending", { signal }).then(over, () => {});
  return place;
}

function row(subscription) {
  const title = subscription.title?.trim();
  const name = title || subscription.url;
  const place = h("li", { class: "row" });
  const gone = () => {
    put(place, h("p", { class: "quiet" }, "Unfollowed: ", said(name)));
    announce("Unfollowed");
  };
  put(
    place,
    named(subscription.feed_id, title, subscription.url),
    h("div", { class: "row-line" }, title && address(subscription.url, 70), subscription.tags.length > 0 && h("span", { class: "quiet" }, said(subscription.tags.join(", ")))),
    h("div", { class: "row-line" }, standing(subscription)),
    h("div", { class: "actions" }, action("Unfollow", () => remove(`/v1/subscriptions/${subscription.id}`), gone)),
  );
  return place;
}

function standing(subscription) {
  if (subscription.status === "pending") return h("span", {}, "Its feed is being searched for. Asked ", time(subscription.asked_at), ".");
  if (subscription.status === "failed")
    return h("span", {}, subscription.reason ? said(sentence(subscription.reason)) : (FAILURES[subscription.failure] ?? "That did not work."), " ", h("a", { href: `#/look?url=${encodeURIComponent(subscription.url)}&refresh=1` }, "Look again"));
  return h("span", { class: "quiet" }, "followed since ", time(subscription.created_at), subscription.duplicate_of && " (the same feed as another one that you follow)");
}
