// The keys of a tenant: the existing ones, a new one, whose text is shown once, and revoking one.

import { get, post, remove } from "./api.js";
import { h, put } from "./dom.js";
import { announce, confirmed, copyButton, field, filled, form, said, section, select, time } from "./parts.js";
import { now } from "./words.js";

const SCOPES = { read: "read: sees, and changes nothing", write: "write: follows, imports and collects", admin: "admin: keys and webhooks too", operator: "operator: the whole deployment" };
const ENDS = [["", "never"], ["30", "in 30 days"], ["90", "in 90 days"], ["365", "in a year"]];
const DAY = 86_400;

export function view({ signal }) {
  const place = h("div");
  const load = () => put(place, filled(get("/v1/keys", { signal }), ({ keys }) => list(keys, load)));
  load();
  return {
    title: "Keys",
    content: [h("p", {}, "Give each program and each person a separate key, so that one can be revoked without the others. ", h("a", { href: "#/key" }, "The key of this tab"), "."), place, section("A new key", making(load))],
  };
}

function list(keys, load) {
  if (!keys.length) return h("p", {}, "There are none yet.");
  return h("ul", { class: "rows", "aria-label": "Keys" }, keys.map((key) => row(key, load)));
}

function row(key, load) {
  const ends = key.expires_at !== null && [key.status === "expired" ? " · ended " : " · ends ", time(key.expires_at)];
  return h(
    "li",
    { class: "row" },
    said(key.name, "strong", { class: "row-name" }),
    h("div", { class: "row-line" }, `${key.status} · ${key.scope}`, h("code", {}, `${key.begins_with}…`)),
    h("div", { class: "row-line quiet" }, "made ", time(key.created_at), " · last used ", time(key.last_used_at), ends, key.revoked_at !== null && [" · revoked ", time(key.revoked_at)]),
    key.status === "live" && h("div", {}, confirmed("Revoke", "Revoke it permanently", () => remove(`/v1/keys/${encodeURIComponent(key.id)}`), () => (announce(`The key ${key.name} has ended`), load()), key.name)),
  );
}

function making(load) {
  const name = h("input", { type: "text", autocomplete: "off", required: true, maxlength: "100" });
  let [scope, days] = ["read", ""];
  const make = async () => {
    const expires_at = days ? now() + Number(days) * DAY : null;
    const made = await post("/v1/keys", { name: name.value.trim(), scope, expires_at });
    announce("The key is created");
    name.value = "";
    load();
    return text(made);
  };
  return form(
    make,
    field("Name", name, "The person or program that will use it"),
    field("Scope", select(Object.entries(SCOPES), scope, (value) => (scope = value))),
    field("Expires", select(ENDS, days, (value) => (days = value))),
    h("button", { type: "submit" }, "Create"),
  );
}

function text(made) {
  if (!made.key) return h("p", { class: "note" }, "The key was created, but its text was lost on the way. Revoke it, and create another one.");
  return h("div", { class: "note" }, h("p", {}, "The key, which is not shown again: ", h("code", { class: "said" }, made.key), " ", copyButton(made.key)));
}
