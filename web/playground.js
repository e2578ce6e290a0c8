// The playground: an editor whose text a worker checks as it is typed, and the
// page of the report. Nothing leaves the browser: the Content-Security-Policy
// allows requests to the files of the playground only.
"use strict";

(() => {
  const $ = (id) => document.getElementById(id);
  const [input, state, example, search, found, kind, dialect, autoRun, extra] =
    ["input", "state", "example", "rule-search", "found", "kind", "dialect", "auto-run", "extra"].map($);
  const root = $("page");
  document.documentElement.classList.add("live");
  const page = (root.lmclint = lmclintPage(root));
  const worker = new Worker("worker.js");

  const pauseMilliseconds = 120; // after the last key
  const slowMilliseconds = 300; // before it says that it is checking
  const maxShown = 3e5; // bytes of a file that the editor shows; it would be slow with more
  const maxLink = 2e6; // characters of a link
  const maxUnpacked = 20e6; // bytes of the input in a link

  let file = null; // {name, bytes} of a file that is too large for the editor
  let more = {}; // options of an example that have no control
  let given = {}; // all options of the example, and its text
  let number = 0, answered = 0, waiting = false, timer = 0, slow = 0, size = 0;
  let unreadable = ""; // why the link was not read, until there is an input

  // ------------------------------------------------------------------ checking

  function options() {
    const o = { ...more, path: file ? file.name : more.path || "input" };
    if (kind.value) o.kind = kind.value;
    if (dialect.value) o.dialect = dialect.value;
    if (autoRun.checked) o.autoRun = true;
    return o;
  }

  // check has the input checked. While the worker is busy only the last call counts.
  function check() {
    clearTimeout(timer);
    if (number > answered) { waiting = true; return; }
    waiting = false;
    const bytes = file ? file.bytes : new TextEncoder().encode(input.value);
    if (!bytes.length) {
      root.hidden = true;
      say(unreadable || (ready ? "Nothing to check yet. The input stays in this browser." : "Loading\u2026"), unreadable);
      return;
    }
    unreadable = "";
    size = bytes.length;
    slow = setTimeout(checking, slowMilliseconds, 0);
    worker.postMessage({ number: ++number, bytes, options: options() });
  }

  // checking says what is being checked. The results before are not of it.
  function checking(read) {
    say("Checking " + (file ? file.name : "the input") + "\u2026" + (read ? " " + Math.round((100 * read) / size) + " %" : ""));
    root.classList.add("stale");
  }

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(check, pauseMilliseconds);
  }

  function say(text, failed) {
    state.textContent = text;
    state.classList.toggle("failed", Boolean(failed));
  }

  let ready = false;
  worker.onmessage = ({ data }) => {
    if (data.catalog) {
      ready = true;
      fill(data.catalog);
      if (number === 0) check();
      return;
    }
    if (data.read) { checking(data.read); return; }
    clearTimeout(slow);
    root.classList.remove("stale");
    answered = data.number ?? number;
    if (data.error) {
      root.hidden = true;
      say(data.error, true);
    } else if (!waiting) show(data.document, data.took);
    if (waiting) check();
  };
  worker.onerror = (e) => say("The worker failed: " + e.message, true);

  function show(document, took) {
    root.hidden = false;
    page.show(document);
    const f = document.files[0];
    say(f.failure || f.records + (f.records === 1 ? " record" : " records") + " checked in " + Math.max(1, Math.round(took)) + " ms, in this browser", Boolean(f.failure));
  }

  // A finding that is chosen is selected in the editor.
  page.onFinding = (f) => {
    if (file || document.activeElement === input) return;
    const at = (line, column) => {
      let from = 0;
      for (let i = 1; i < line; i++) from = input.value.indexOf("\n", from) + 1 || input.value.length;
      let offset = from;
      for (const c of input.value.slice(from, from + 2 * column)) { if (--column < 1) break; offset += c.length; }
      return offset;
    };
    input.setSelectionRange(at(f.line, f.column), at(f.endLine, f.endColumn));
    input.scrollTop = Math.max(0, (f.line - 4) * parseFloat(getComputedStyle(input).lineHeight));
  };

  // -------------------------------------------------------------------- input

  // set shows a text, with the options of an example or a link.
  function set(text, o = {}) {
    file = null;
    input.value = text;
    input.scrollTop = 0;
    const { kind: k = "", dialect: d = "", autoRun: a = false, ...rest } = o;
    kind.value = k;
    dialect.value = d;
    if (dialect.value !== d) { dialect.append(new Option(d)); dialect.value = d; }
    autoRun.checked = a;
    given = { text, kind: k, dialect: d, autoRun: a };
    setMore(rest);
    check();
  }

  // setMore sets the options that have no control. They are named beside the others.
  function setMore(o) {
    more = o;
    const names = Object.keys(o).filter((name) => name !== "path");
    extra.hidden = !names.length;
    extra.textContent = "with " + names.map((name) => ({ against: "a stored conversation" })[name] || name).join(", ") + " \u00d7";
    extra.title = "Check without: " + names.join(", ");
  }

  // replace forgets the example when its text is replaced by another one: the options
  // were its own. They stay while it is edited.
  function replace() {
    if (given.text === undefined || isEdited(given.text, input.value)) return;
    if (kind.value === given.kind) kind.value = "";
    if (dialect.value === given.dialect) dialect.value = "";
    if (autoRun.checked === given.autoRun) autoRun.checked = false;
    given = {};
    setMore({});
  }

  // isEdited reports whether half of a text is still at the start and the end of
  // another one.
  function isEdited(text, now) {
    const most = Math.min(text.length, now.length);
    let start = 0, end = 0;
    while (start < most && text[start] === now[start]) start++;
    while (end < most - start && text[text.length - 1 - end] === now[now.length - 1 - end]) end++;
    return 2 * (start + end) >= text.length;
  }

  async function load(f) {
    const bytes = new Uint8Array(await f.arrayBuffer());
    const text = bytes.length <= maxShown ? new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }) : null;
    given = {};
    setMore({});
    example.value = "";
    try {
      if (!text) throw new RangeError();
      input.value = text.decode(bytes);
      file = null;
      more.path = f.name;
      given = { text: input.value };
    } catch {
      input.value = "";
      file = { name: f.name, bytes };
      input.placeholder = f.name + ": " + bytes.length.toLocaleString("en-US") + " bytes,\ntoo large to be shown here.\nType to replace it.";
    }
    check();
  }

  input.addEventListener("input", () => { file = null; example.value = ""; replace(); soon(); });
  extra.addEventListener("click", () => { setMore({}); check(); input.focus(); });
  for (const e of [kind, dialect, autoRun]) e.addEventListener("change", check);
  $("open").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", (e) => { if (e.target.files[0]) load(e.target.files[0]); e.target.value = ""; });
  addEventListener("dragover", (e) => { e.preventDefault(); document.body.classList.add("drop"); });
  addEventListener("dragleave", () => document.body.classList.remove("drop"));
  addEventListener("drop", (e) => {
    e.preventDefault();
    document.body.classList.remove("drop");
    if (e.dataTransfer.files[0]) load(e.dataTransfer.files[0]);
    else if (e.dataTransfer.getData("text")) set(e.dataTransfer.getData("text"));
  });

  // ----------------------------------------------------------------- examples

  for (const [i, r] of recordings.entries()) example.append(new Option(r.name, String(i)));
  example.addEventListener("change", () => { if (example.value !== "") set(recordings[example.value].input); });

  // The examples of the rules are found by the words in their names.
  const mostFound = 8;
  let examples = [];
  function fill(catalog) {
    const chosen = dialect.value;
    for (const name of catalog.dialects) if (![...dialect.options].some((o) => o.value === name)) dialect.append(new Option(name));
    dialect.value = chosen;
    examples = catalog.rules.flatMap((rule) => rule.examples.map((e) => ({
      ...e, title: rule.id + " " + rule.name, text: [rule.id, rule.name, e.bad ? "wrong" : "valid", e.name].join(" ").toLowerCase(),
    })));
    search.disabled = false;
    list();
  }

  // list shows the examples that have all words of the search.
  function list() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = words.length ? examples.filter((e) => words.every((word) => e.text.includes(word))) : [];
    found.hidden = !words.length;
    found.replaceChildren(...all.slice(0, mostFound).map((e) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(Object.assign(document.createElement("b"), { textContent: e.title }), (e.bad ? " " : " valid: ") + e.name);
      button.addEventListener("click", () => { search.value = ""; list(); example.value = ""; set(e.input, e.options); });
      const item = document.createElement("li");
      item.append(button);
      return item;
    }), Object.assign(document.createElement("li"), {
      className: "none", textContent: all.length > mostFound ? all.length - mostFound + " more: add a word" : all.length ? "" : "No example has these words.",
    }));
  }
  search.addEventListener("input", list);
  search.addEventListener("keydown", (e) => {
    if (e.key === "Escape") { search.value = ""; list(); }
    if (e.key === "Enter" || e.key === "ArrowDown") {
      e.preventDefault();
      const first = found.querySelector("button");
      if (e.key === "Enter") first?.click();
      else first?.focus();
    }
  });
  found.addEventListener("keydown", (e) => {
    const to = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[e.key];
    if (e.key === "Escape") { search.value = ""; list(); search.focus(); }
    if (!to) return;
    e.preventDefault();
    (e.target.closest("li")[to]?.querySelector("button") || (e.key === "ArrowUp" ? search : e.target)).focus();
  });

  // --------------------------------------------------------------------- link

  // A link has the input and the options in its fragment, which a browser does not
  // send.
  const pack = async (bytes) => {
    const packed = new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
    let text = "";
    for (let i = 0; i < packed.length; i += 8192) text += String.fromCharCode(...packed.subarray(i, i + 8192));
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };

  const unpack = async (text) => {
    const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts = [];
    let size = 0;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      if ((size += value.length) > maxUnpacked) { reader.cancel(); throw new Error("the input in the link is too large"); }
      parts.push(value);
    }
    return new TextDecoder().decode(await new Blob(parts).arrayBuffer());
  };

  $("link").addEventListener("click", async () => {
    if (file) { say("The file is too large for a link.", true); return; }
    const { path, ...o } = options();
    const fragment = "#" + new URLSearchParams({ v: "1", options: JSON.stringify(o), input: await pack(new TextEncoder().encode(input.value)) });
    if (fragment.length > maxLink) { say("The input is too large for a link.", true); return; }
    history.replaceState(null, "", fragment);
    try {
      await navigator.clipboard.writeText(location.href);
      say("Copied. The link holds the input.");
    } catch {
      say("The address of this page now holds the input.");
    }
  });

  async function open() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    if (!fragment.has("input")) return false;
    try {
      const o = JSON.parse(fragment.get("options") || "{}");
      set(await unpack(fragment.get("input")), o && typeof o === "object" && !Array.isArray(o) ? o : {});
    } catch (e) {
      unreadable = "The link cannot be read: " + e.message;
      set("");
    }
    return true;
  }
  addEventListener("hashchange", open);
  open().then((opened) => {
    if (opened || input.value || file) return;
    example.value = "0";
    set(recordings[0].input);
  });
})();
