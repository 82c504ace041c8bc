// The API's values in words: outcomes, errors, times, numbers, addresses.

/** The reasons of failed checks and pages: what happened, and what to do. */
const OUTCOMES = {
  ok: ["Fetched", ""],
  not_modified: ["Unchanged", ""],
  unexpected_304: ["“Unchanged”, though it was never fetched", "The server is asked for the whole document next time."],
  empty_body: ["An empty answer", "Often passes by itself."],
  not_feed: ["The answer is not a feed", "Look at the site for where its feed is now."],
  unauthorized: ["The server asks for a password", "What is behind a password cannot be fetched."],
  forbidden: ["The server refuses us", "Ask the site’s owner to allow feed readers."],
  challenge: ["A wall for robots, or a page to consent to", "Ask the site’s owner to leave this address outside the wall."],
  not_found: ["Not found", "Look at the site for its new address."],
  gone: ["Removed for good, says the server", "It will not come back. Look at the site for another address."],
  legal: ["Blocked for legal reasons", ""],
  rate_limited: ["Too many requests, says the server", "It is fetched less often; nothing to do."],
  timeout_status: ["The server was too slow", "Often passes by itself."],
  client_error: ["The server calls the request wrong", "Look at the address."],
  server_error: ["The server has a fault", "Often passes by itself."],
  unexpected_status: ["A status that makes no sense", ""],
  bad_redirect: ["A redirect that leads nowhere", "Look at the site for its new address."],
  redirect_loop: ["Redirects that go round in circles", "Look at the site for its new address."],
  too_many_redirects: ["Too many redirects", "Look at the site for its new address."],
  blocked: ["An address that may not be fetched", "It leads into a private network."],
  bad_url: ["Not an address that can be fetched", "Look at how it is spelled."],
  dns_error: ["The host’s name is unknown", "The domain may be gone. Look for the site elsewhere."],
  connect_error: ["The host does not answer", "Often passes by itself."],
  timeout: ["No answer in time", "Often passes by itself."],
  connection_reset: ["The connection broke", "Often passes by itself."],
  tls_error: ["The certificate is not valid", "Ask the site’s owner to renew it."],
  truncated: ["The answer was cut short", "Often passes by itself."],
  bad_encoding: ["The answer cannot be unpacked", ""],
  too_large: ["The document is too large", ""],
  bad_response: ["The answer is not valid HTTP", ""],
  generator_error: ["The feed’s generator has a fault", "Often passes by itself."],
  unchecked: ["Not checked yet", ""],
  unknown: ["Not known: before the changes that are listed", ""],
  robots_disallowed: ["robots.txt asks us not to", "Nothing to do: the site decides."],
};

export function outcome(code) {
  return OUTCOMES[code]?.[0] ?? (code ? plain(code) : "not tried yet");
}

// A code that this page does not know stands in the middle of sentences: it is short, and turns no text around it.
function plain(code) {
  return cut(code.replaceAll("_", " ").replace(/\p{Cf}/gu, ""), 60);
}

export function advice(code) {
  return OUTCOMES[code]?.[1] ?? "";
}

export const REDIRECT_FAILURES = ["bad_redirect", "redirect_loop", "too_many_redirects"];
export const FAILURES = Object.keys(OUTCOMES).filter((code) => !["ok", "not_modified", "unchecked", "unknown"].includes(code));

/** What to do about an error of the API, by its code. */
const NEXT_STEPS = {
  no_connection: "The server cannot be reached. Is it running? Try again in a moment.",
  unauthorized: "A key is needed. Enter one under “Key”.",
  forbidden: "This key is unknown, or has ended. Enter another one under “Key”.",
  scope_missing: "This key may not do that. Ask for one with a wider scope.",
  key_expired: "This key has expired. Enter another one under “Key”.",
  key_revoked: "This key was revoked. Enter another one under “Key”.",
  not_found: "It does not exist, or belongs to another tenant.",
  route_not_found: "The versions of the page and the API differ. Reload the page.",
  wrong_state: "That is not possible in its present state. Reload to see the state.",
  conflict: "It was changed by another request at the same time. Reload and try again.",
  throttled: "Too many requests. Wait a few seconds and try again.",
  too_many_at_once: "Too many of your requests are running. Wait a few seconds and try again.",
  quota_exceeded: "A limit is reached. The text below says when it resets.",
  idempotency_key_in_use: "The same request is already running. Reload in a moment.",
  store_unavailable: "The database does not answer. Try again in a minute.",
  queue_unavailable: "The work queue does not answer. Try again in a minute.",
  search_unavailable: "Search is being prepared. Lists work; try again in a minute.",
  deadline: "It took too long and continues in the background. Look again in a minute.",
  body_too_large: "The file is too large. Split it, or use the command line.",
  internal_error: "Something is broken on the server. Try again; if it persists, report it with the text below.",
  unreadable_answer: "What answered is not the API: a proxy, or another version. Reload the page.",
  page_fault: "The page cannot show this. Reload it; if it persists, report it with the text below.",
  invalid_input: "The input is not right. The text below says what is wrong.",
};

export function nextStep(code) {
  return NEXT_STEPS[code] ?? "That did not work.";
}

const MOMENT = new Intl.DateTimeFormat(undefined, {
  ...{ year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
});
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
const DAY = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" });
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const UNITS = [
  ["year", 31_556_952],
  ["month", 2_629_746],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

export function now() {
  return Math.floor(Date.now() / 1000);
}

/** “3 hours ago”, “in 2 days”, “just now”. */
export function ago(at) {
  const difference = at - now();
  for (const [unit, seconds] of UNITS) {
    if (Math.abs(difference) >= seconds) return RELATIVE.format(Math.trunc(difference / seconds), unit);
  }
  return difference > 0 ? "in less than a minute" : "just now";
}

/** A time of this place, with its zone. */
export function moment(at) {
  return MOMENT.format(new Date(at * 1000));
}

/** The same to the second. */
export function exact(at) {
  return EXACT.format(new Date(at * 1000));
}

export function day(at) {
  return DAY.format(new Date(at * 1000));
}

/** “on Nov 29, 2026”, “from Nov 2, 2026 to Nov 29, 2026”. */
export function span(first, last) {
  const [from, to] = [day(first), day(last)];
  return from === to ? `on ${from}` : `from ${from} to ${to}`;
}

/** The same as a sentence: a capital letter at its start, and a full stop. */
export function sentence(text) {
  const [first, ...others] = text.trim();
  return `${(first ?? "").toUpperCase()}${others.join("").replace(/[.!?]$/, "")}.`;
}

/** “every 3 hours”, “every day”. */
export function every(seconds) {
  return `every ${duration(seconds).replace(/^1 /, "")}`;
}

/** “3 hours”, “2 days”. */
export function duration(seconds) {
  for (const [unit, size] of UNITS) {
    if (seconds >= size) {
      const count = Math.round(seconds / size);
      return `${count} ${unit}${count === 1 ? "" : "s"}`;
    }
  }
  return "less than a minute";
}

const NUMBER = new Intl.NumberFormat("en");

export function number(value) {
  return NUMBER.format(value);
}

export function counted(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

export function bytes(value) {
  if (value < 1000) return `${value} bytes`;
  const unit = value < 1e6 ? ["kB", 1e3] : ["MB", 1e6];
  return `${(value / unit[1]).toFixed(1)} ${unit[0]}`;
}

/** An address cut in the middle, so that its host and its end are visible. */
export function cut(url, length = 90) {
  const signs = Array.from(url ?? "");
  if (signs.length <= length) return signs.join("");
  const end = Math.floor(length / 3);
  return `${signs.slice(0, length - end - 1).join("")}…${signs.slice(-end).join("")}`;
}

/** An address that may be a link: http and https only, as text; else null. */
export function webAddress(url) {
  try {
    const parsed = new URL(url);
    return parsed.protocol === "http:" || parsed.protocol === "https:" ? parsed.href : null;
  } catch {
    return null;
  }
}

/** Whether a person pasted an address rather than words: a scheme, or a host with a path or a known form. */
export function looksLikeAddress(text) {
  const typed = text.trim();
  return /^(?:https?|feed|rss|pcast|itpc|podcast):/i.test(typed) || /^(?:[^\s/.]+\.)+[^\s/.\d]{2,}(?:[/?#:]\S*)?$/.test(typed);
}

export const STATES = ["healthy", "degraded", "unhealthy", "paused"];
const UNFETCHED = "not fetched yet";

/** The state of a feed in words: a seeded feed is stored as healthy before its first fetch, and is not called so. */
export function stateOf(feed) {
  return feed.never_fetched && feed.state === "healthy" ? UNFETCHED : feed.state;
}

/** The choices of a list by state, and the parameters of each. */
export const LISTS = {
  healthy: { state: "healthy", never_fetched: false },
  degraded: { state: "degraded" },
  unhealthy: { state: "unhealthy" },
  paused: { state: "paused" },
  [UNFETCHED]: { state: "healthy", never_fetched: true },
};

/** The feeds of the stats in each of these lists, as [list, count]. */
export function countsOf(directory) {
  const counts = { ...directory?.by_state, [UNFETCHED]: directory?.never_fetched };
  return Object.keys(LISTS).map((list) => [list, counts[list] ?? 0]);
}

/** The address of such a list. */
export function listAt(list) {
  return `#/feeds?state=${encodeURIComponent(list)}`;
}

/** The meaning of a state. */
export const MEANS = {
  [UNFETCHED]: "it came from a seed file, and its first check is due within an hour",
  healthy: "fetched, or unchanged, at its last check",
  degraded: "fails at present and is tried again",
  unhealthy: "has failed for long; other addresses of it are searched",
  paused: "is not checked until it is resumed",
};
