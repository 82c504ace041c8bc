// The key for the API: kept for this tab only.

import { get, keepKey, keyIsKnown } from "./api.js";
import { table } from "./charts.js";
import { h } from "./dom.js";
import { button, field, filled, section, time } from "./parts.js";
import { number } from "./words.js";

export function view({ query, signal }) {
  const from = query.get("from");
  const back = from?.startsWith("/") ? `#${from}` : "#/";
  const box = h("input", { type: "password", autocomplete: "off", spellcheck: "false", required: true, "data-focus": from ? "" : null });
  const submit = (event) => {
    event.preventDefault();
    keepKey(box.value.trim());
    location.replace(back);
  };
  const forget = () => {
    keepKey(null);
    location.hash = "#/";
  };
  return {
    title: "Key",
    content: [
      from && keyIsKnown() && h("p", { class: "trouble", role: "alert" }, "The server does not take the key of this tab: it is unknown, or has ended. Enter another one."),
      h("p", {}, from ? "The server asks for a key." : "A server that requires keys gets yours with each request.", " It is kept for this tab only, and goes nowhere else."),
      h("form", { onsubmit: submit }, field("Key", box, ["It begins with fw_. An operator makes one with ", h("code", {}, "feedward keys create"), "."]), h("button", { type: "submit" }, "Use it")),
      !from && h("p", {}, h("a", { href: "#/keys" }, "All keys of the tenant: create and revoke them."), " It takes a key with the scope admin."),
      keyIsKnown() && h("p", {}, "This tab has a key. ", button("Forget it", forget)),
      !from && section("Its quotas", filled(get("/v1/quotas", { signal }), quotas)),
    ],
  };
}

function quotas(found) {
  const rows = found.quotas.map((one) => [one.quota.replaceAll("_", " "), one.used === null ? "" : number(one.used), one.limit === null ? "no limit" : number(one.limit), one.opens_at ? time(one.opens_at) : ""]);
  return table(["Work", "Used", "Limit", "Resets"], rows, "Quotas", [1, 2]);
}
