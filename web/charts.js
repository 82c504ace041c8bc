// Charts as hand-drawn SVG: each has a title with its finding, and its numbers as a table.

import { h, newId, s } from "./dom.js";
import { counted, duration, moment, number, outcome, span } from "./words.js";

function figure(finding, svg, caption, table) {
  return h("figure", {}, svg, h("figcaption", {}, caption ?? finding), table && h("details", {}, h("summary", {}, "As a table"), table));
}

function picture(width, height, finding, ...children) {
  const id = newId("chart");
  return s("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "xMinYMid", role: "img", "aria-labelledby": id, class: "chart" }, s("title", { id }, finding), children);
}

/** A table in its own scrolling region; the columns with these `numbers` are aligned as such. */
export function table(head, rows, label, numbers = []) {
  const cell = (name, properties) => (value, column) => h(name, { ...properties, class: numbers.includes(column) ? "number" : null }, value);
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h("table", {}, h("thead", {}, h("tr", {}, head.map(cell("th", { scope: "col" })))), h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell("td")))))),
  );
}

/** Horizontal bars: `rows` are {label, value, kind, href, more, isAgainst}; `kind` names a colour. */
export function bars(rows, finding, { unit = "" } = {}) {
  const most = Math.max(1, ...rows.map((row) => row.value));
  const items = rows.map((row) =>
    h(
      "li",
      { class: "bar" },
      h("span", { class: "bar-label" }, row.href ? h("a", { href: row.href }, row.label) : row.label),
      s("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", class: "bar-line", "aria-hidden": "true" }, s("rect", { width: (100 * row.value) / most, height: 8, class: `fill-${row.kind ?? "plain"}` })),
      h("span", { class: "bar-value" }, row.isAgainst && "−", number(row.value), row.more && "+", unit),
    ),
  );
  return h("figure", {}, h("ul", { class: "bars", "aria-label": finding }, items), h("figcaption", { class: "quiet" }, finding));
}

/**
 * Checks by hour: `hours` are {at, ok, unchanged, failed}. Columns in two colours, with the failed part on top, apart by
 * a line, so that colour is not the only difference.
 */
export function checksByHour(hours) {
  const total = (hour) => hour.ok + hour.unchanged + hour.failed;
  const most = Math.max(1, ...hours.map(total));
  const all = hours.reduce((sum, hour) => sum + total(hour), 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  if (!all) return h("p", { class: "quiet" }, `No checks in the last ${hours.length} hours.`);
  const finding = `${number(all)} checks in ${hours.length} hours, ${number(failed)} of them failed`;
  const width = 10;
  const columns = hours.map((hour, index) => {
    const high = (80 * total(hour)) / most;
    const top = (80 * hour.failed) / most;
    const words = `${moment(hour.at)}: ${counted(total(hour), "check")}, ${number(hour.failed)} failed`;
    return s("g", {}, s("title", {}, words), s("rect", { x: index * width, y: 0, width, height: 84, class: "hover" }), s("rect", { x: index * width + 1, y: 84 - high + top, width: width - 2, height: high - top, class: "fill-healthy" }), s("rect", { x: index * width + 1, y: 84 - high, width: width - 2, height: top, class: "fill-unhealthy apart" }));
  });
  const axis = s("line", { x1: 0, x2: hours.length * width, y1: 84.5, y2: 84.5, class: "axis" });
  const rows = hours.filter(total).map((hour) => [moment(hour.at), number(hour.ok), number(hour.unchanged), number(hour.failed)]);
  const svg = picture(hours.length * width, 88, finding, columns, axis);
  svg.setAttribute("preserveAspectRatio", "none");
  const scale = h("span", { class: "scale quiet" }, h("span", {}, moment(hours[0].at)), h("span", {}, "now"));
  const top = h("span", { class: "scale quiet" }, `at most ${number(most)} in an hour`);
  return figure(finding, [top, svg], [scale, h("p", {}, finding)], table(["Hour", "New", "Unchanged", "Failed"], rows, "Checks by hour", [1, 2, 3]));
}

const KINDS = { ok: { height: 44, fill: "fill-healthy" }, failed: { height: 24, fill: "fill-unhealthy" } };
for (const code of ["unchecked", "unknown"]) KINDS[code] = { height: 8, fill: "fill-none" };

/**
 * The strip of a feed's checks: stretches {since, until, outcome} from old to new, as wide as they lasted, but
 * wide enough to be seen. Failed ones are lower, and unknown ones are a line. Arrow keys walk it.
 */
export function strip(stretches, told) {
  if (!stretches.length) return h("p", { class: "quiet" }, "No check has had an answer yet.");
  const [first, last] = [stretches[0].since, stretches.at(-1).until];
  const least = (last - first || 1) / 100;
  const lengths = stretches.map((stretch) => Math.max(least, stretch.until - stretch.since));
  const scale = 1000 / lengths.reduce((sum, length) => sum + length, 0);
  let end = 0;
  const marks = stretches.map((stretch, index) => {
    const x = end;
    const wide = scale * lengths[index];
    end += wide;
    const kind = KINDS[stretch.outcome] ?? KINDS.failed;
    const words = `${outcome(stretch.outcome)}, ${moment(stretch.since)} to ${moment(stretch.until)} (${duration(stretch.until - stretch.since)})`;
    return s(
      "g",
      { tabindex: index === stretches.length - 1 ? "0" : "-1", role: "img", "aria-label": words, class: "mark", "data-words": words },
      s("title", {}, words),
      s("rect", { x, y: 48 - kind.height, width: wide, height: kind.height, class: kind.fill }),
    );
  });
  const line = h("p", { class: "quiet" }, marks.at(-1).dataset.words);
  const show = (mark) => {
    for (const one of marks) one.setAttribute("tabindex", one === mark ? "0" : "-1");
    line.textContent = mark.dataset.words;
  };
  const walk = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = marks.indexOf(event.target);
    const next = step && marks[at + step];
    if (!next) return;
    event.preventDefault();
    show(next);
    next.focus();
  };
  const svg = s("svg", { viewBox: "0 0 1000 52", preserveAspectRatio: "none", class: "strip", role: "group", "aria-label": told, onkeydown: walk }, marks);
  for (const mark of marks) {
    mark.addEventListener("pointerenter", () => show(mark));
    mark.addEventListener("focus", () => show(mark));
  }
  const ends = h("span", { class: "scale quiet" }, h("span", {}, moment(first)), h("span", {}, moment(last)));
  const rows = stretches.map((one) => [outcome(one.outcome), moment(one.since), moment(one.until)]);
  return figure(told, svg, [ends, line], table(["Result", "From", "Until"], rows, "Checks"));
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Publication times of items: by local weekday and hour, each square filled in proportion. */
export function rhythm(times) {
  const grid = DAYS.map(() => Array(24).fill(0));
  for (const at of times) {
    const when = new Date(at * 1000);
    grid[(when.getDay() + 6) % 7][when.getHours()] += 1;
  }
  const most = Math.max(1, ...grid.flat());
  const squares = grid.flatMap((row, line) =>
    row.map((count, hour) => {
      const size = count ? 3 + (9 * count) / most : 1;
      return s("rect", { x: 34 + hour * 14 + (14 - size) / 2, y: line * 14 + (14 - size) / 2, width: size, height: size, class: count ? "fill-plain" : "fill-none" });
    }),
  );
  const names = DAYS.map((name, line) => s("text", { x: 0, y: line * 14 + 11, class: "label" }, name));
  const hours = [0, 6, 12, 18].map((hour) => s("text", { x: 34 + hour * 14, y: 110, class: "label" }, `${hour}:00`));
  const finding = `${times.length} items with a date: ${busiest(grid)}`;
  const rows = DAYS.map((name, line) => [name, grid[line].map((count, hour) => (count ? `${hour}:00 (${count})` : "")).filter(Boolean).join(", ") || "none"]);
  return figure(finding, picture(374, 114, finding, names, squares, hours), finding, table(["Day", "Items by hour"], rows, "Items by weekday and hour"));
}

function busiest(grid) {
  const byDay = grid.map((row) => row.reduce((sum, count) => sum + count, 0));
  const most = Math.max(...byDay);
  if (most === 0) return "none";
  return `most on ${DAYS.filter((_, index) => byDay[index] === most).join(", ")}`;
}

/**
 * A chain of items as a graph, the newest on the left. `links` are {label, href, edge}; the edge has the reason why the next
 * one is superseded.
 */
export function chain(links) {
  const [width, gap] = [190, 110];
  const whole = links.length * (width + gap) - gap;
  const boxes = links.map((link, index) => {
    const x = index * (width + gap);
    const box = s("g", {}, s("rect", { x: x + 1, y: 20, width: width - 2, height: 44, rx: 6, class: link.href ? "box" : "box here" }), s("text", { x: x + width / 2, y: 47, class: "label middle" }, link.label));
    const node = link.href ? s("a", { href: link.href }, box) : box;
    if (index === links.length - 1) return node;
    const from = x + width;
    return [node, s("path", { d: `M${from} 42h${gap - 2}m-7-6 7 6-7 6`, class: "arrow" }), s("text", { x: from + gap / 2, y: 34, class: "label middle" }, link.edge ?? "")];
  });
  const finding = links.length === 1 ? "This item supersedes none" : `${links.length} items, each superseding the one on its right`;
  const id = newId("chain");
  const drawn = s("svg", { viewBox: `0 0 ${whole} 84`, width: whole, height: 84, class: "chain", role: "group", "aria-labelledby": id }, s("title", { id }, finding), boxes);
  const rows = links.map((link) => [link.label, link.edge ?? ""]);
  return figure(finding, h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": finding }, drawn), finding, table(["Item", "Supersedes the next one by"], rows, "Chain of items"));
}

/** The events of a feed, on a line from old to new: `events` are {at, kind, words}. */
export function timeline(events) {
  if (!events.length) return h("p", { class: "quiet" }, "Nothing happened yet.");
  const sorted = [...events].sort((one, other) => one.at - other.at);
  const [first, last] = [sorted[0].at, Math.max(sorted.at(-1).at, sorted[0].at + 1)];
  const dots = sorted.map((event) => {
    const x = 10 + (980 * (event.at - first)) / (last - first);
    return s("g", {}, s("title", {}, `${event.words}, ${moment(event.at)}`), event.kind === "move" ? s("path", { d: `M${x} 8l10 12-10 12-10-12z`, class: "fill-plain" }) : s("circle", { cx: x, cy: 20, r: 8, class: event.kind === "fault" ? "fill-unhealthy" : "fill-healthy" }));
  });
  const finding = `${counted(events.length, "event")}, ${span(first, sorted.at(-1).at)}`;
  return figure(finding, picture(1000, 40, finding, s("line", { x1: 0, x2: 1000, y1: 20, y2: 20, class: "axis" }), dots), finding);
}
