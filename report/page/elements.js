// Elements, texts and numbers of the page. What comes from a recording becomes
// text nodes, never markup.
"use strict";

// el makes an element: el("div", {class: "x", onclick: f}, "text", child).
function el(name, props, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (key === "value") e.value = value;
    else e.setAttribute(key, value === true ? "" : String(value));
  }
  add(e, children);
  return e;
}

function add(e, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    e.append(child instanceof Node ? child : visible(String(child)));
  }
}

// visible shows characters that a browser would hide, or that would reorder the
// text around them.
function visible(text) {
  return text.replace(
    // eslint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\u{E0001}-\u{E007F}]/gu,
    (c) => {
      const code = c.codePointAt(0);
      if (code < 0x20) return String.fromCharCode(0x2400 + code);
      if (code === 0x7f) return "\u2421";
      return "\u2039U+" + code.toString(16).toUpperCase().padStart(4, "0") + "\u203A";
    },
  );
}

// fileName shows the name of a file as the text report does.
const fileName = (path) => path.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (c) => "<U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + ">");

const number = (n) => n.toLocaleString("en-US");
const quantity = (n, noun) => number(n) + " " + noun + (n === 1 ? "" : "s");

function bytes(n) {
  if (n < 1000) return quantity(n, "byte");
  if (n < 1e6) return (n / 1e3).toFixed(1) + " kB";
  return (n / 1e6).toFixed(1) + " MB";
}

const severities = ["error", "warning", "note"];

// middle shows a name that is shortened in its middle where it has no room: names
// of recordings often differ at their end.
function middle(name) {
  const tail = name.length > 24 ? 18 : 12;
  if (name.length <= tail) return el("span", { class: "name" }, name);
  const at = isHighSurrogate(name, name.length - tail - 1) ? name.length - tail - 1 : name.length - tail;
  return el("span", { class: "name" }, el("span", { class: "start" }, name.slice(0, at)), el("span", { class: "end" }, name.slice(at)));
}

const isHighSurrogate = (text, i) => (text.charCodeAt(i) & 0xfc00) === 0xd800;
