// Builds elements. Text from feeds is set as text or as an attribute value, never parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

// The API sends no longer texts than this. A longer one must not push everything else away.
const LONGEST = 1000;

/** An HTML element: `h("a", {href: "#/", onclick: f}, "text", node, ...)`. Null, undefined and false are left out. */
export function h(name, properties, ...children) {
  return filled(document.createElement(name), properties, children);
}

/** An SVG element, with attributes instead of styles, which the page's policy forbids. */
export function s(name, properties, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

/** Appends children: nodes, texts, and lists of them. */
export function add(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(typeof child === "string" ? shortened(child) : child);
  }
}

function shortened(text) {
  return text.length > LONGEST ? `${Array.from(text.slice(0, LONGEST)).slice(0, -1).join("")}…` : text;
}

/** Replaces all children of an element. */
export function put(element, ...children) {
  const fragment = document.createDocumentFragment();
  add(fragment, children);
  element.replaceChildren(fragment);
}

let ids = 0;

/** An id that no other element of this page has. */
export function newId(word) {
  ids += 1;
  return `${word}-${ids}`;
}
