// The list of findings: filtered, each with its places.
"use strict";

const step = 200; // findings, files or messages that are added to the page at a time
const openGroup = 5; // a finding with so many places is open from the start

// occurrences returns the places of a finding, each as a finding of its own. The document has
// the first one in full, and of the others where they are: the message may name what is on
// the first record only.
function occurrences(f) {
  if (f.cause) return [f]; // the document was shown before
  f.cause = f;
  f.all = [f];
  for (const [i, place] of (f.places || []).entries()) {
    if (i === 0) continue;
    f.all.push({
      ...f, ...place, message: "one cause with line " + number(f.line) + ": " + f.message, endLine: place.line, endColumn: place.column, view: f.placesAt[i][0], lane: f.placesAt[i][1],
      related: [], relatedAt: [], excerpt: undefined, mark: undefined, fix: undefined, change: undefined,
    });
  }
  return f.all;
}

// FindingList shows a line for each finding. One with several places opens: below it are
// its places.
class FindingList {
  constructor(owner) {
    this.owner = owner;
    this.filter = { text: "", rule: "", severities: new Set(severities), here: false };
    this.opened = new Map(); // by key of a group: what the reader chose
    this.text = el("input", {
      type: "search", placeholder: "Filter by text", "aria-label": "Filter findings by text",
      oninput: () => { this.filter.text = this.text.value.toLowerCase(); this.apply(); },
    });
    this.rule = el("select", { "aria-label": "Filter findings by rule", onchange: () => { this.filter.rule = this.rule.value; this.apply(); } });
    this.here = el("select", {
      "aria-label": "Filter findings by file", onchange: () => { this.filter.here = this.here.value === "this"; this.apply(); },
    }, el("option", { value: "all" }, "All files"), el("option", { value: "this" }, "This file"));
    const toggles = severities.map((severity) => el("button", {
      type: "button", class: "toggle " + severity, "aria-pressed": "true",
      onclick: (e) => {
        const set = this.filter.severities, on = !set.has(severity);
        if (on) set.add(severity);
        else set.delete(severity);
        e.currentTarget.setAttribute("aria-pressed", String(on));
        this.apply();
      },
    }, severity));
    this.list = el("ol", { class: "findings" });
    this.more = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.grow() });
    this.none = el("div", { class: "none findings-none", hidden: true });
    this.parts = [
      el("div", { class: "filter", role: "search" }, this.text, this.rule, this.here, el("div", { class: "toggles", role: "group", "aria-label": "Severity" }, toggles)),
      this.none, this.list, this.more];
    this.list.addEventListener("keydown", (e) => this.key(e));
  }

  // show takes the findings of a document. Rank is the order of its files.
  show(data, rank) {
    this.data = data;
    this.sorted = data.findings.slice().sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || rank[a.file] - rank[b.file] || a.index - b.index);
    const counts = new Map();
    for (const f of data.findings) counts.set(f.rule, (counts.get(f.rule) || 0) + 1);
    const ids = [...counts.keys()].sort();
    this.rule.replaceChildren(el("option", { value: "" }, "All rules"),
      ...ids.map((id) => el("option", { value: id }, id + " " + data.rules[id].name + " (" + number(counts.get(id)) + ")")));
    if (!counts.has(this.filter.rule)) this.filter.rule = "";
    this.rule.value = this.filter.rule;
    this.here.hidden = data.files.length < 2;
  }

  // apply lists the findings that the filter lets through.
  apply() {
    const { text, rule, here } = this.filter;
    const groups = new Map();
    let count = 0;
    for (const f of this.sorted) {
      if (!this.filter.severities.has(f.severity) || (rule && f.rule !== rule) || (here && f.file !== this.owner.file)) continue;
      if (text && ![f.rule, f.name, f.message, f.help, f.path, f.excerpt?.text].some((s) => s && s.toLowerCase().includes(text))) continue;
      const key = f.path + " " + f.fingerprint;
      if (!groups.has(key)) groups.set(key, { key, findings: [], grown: 0 });
      const group = groups.get(key);
      group.findings.push(f);
      count++;
    }
    this.groups = [...groups.values()];
    this.shown = this.groups.flatMap((g) => g.findings);
    this.groupOf = new Map();
    for (const g of this.groups) for (const f of g.findings) this.groupOf.set(f, g);
    this.list.replaceChildren();
    this.grown = 0;
    this.none.hidden = count > 0;
    this.none.replaceChildren(...(this.data.findings.length ? ["No finding matches the filter."]
      : [this.owner.noFindings(this.data.rulesRun), el("ul", {}, this.owner.gaps().map((line) => el("li", {}, line)))]));
    this.grow();
    this.mark(this.owner.finding);
    return count;
  }

  grow() {
    for (const group of this.groups.slice(this.grown, this.grown + step)) this.list.append(this.line(group));
    this.grown = Math.min(this.groups.length, this.grown + step);
    this.more.hidden = this.grown >= this.groups.length;
    this.more.textContent = "Show more (" + number(this.groups.length - this.grown) + ")";
    this.mark(this.owner.finding);
  }

  // line makes the line of a group.
  line(group) {
    const [f] = group.findings, several = group.findings.length > 1;
    const head = [
      el("span", { class: "badge " + f.severity }, f.severity),
      el("span", { class: "what" },
        el("span", { class: "message" }, f.message),
        el("span", { class: "where" }, f.rule + " \u00b7 ", several ? this.places(group) : this.place(f))),
    ];
    if (!several) {
      group.line = el("li", {}, this.row(f, head));
      return group.line;
    }
    group.list = el("ol", { class: "places" });
    group.more = el("button", { type: "button", class: "quiet", onclick: () => this.growGroup(group) });
    group.head = el("button", { type: "button", class: "group", tabindex: -1, onclick: () => this.toggle(group) }, head, el("span", { class: "many" }, "\u00d7" + number(f.count)));
    group.line = el("li", {}, group.head, group.list, group.more);
    this.open(group, this.opened.get(group.key) ?? group.findings.length <= openGroup);
    return group.line;
  }

  row(f, content) {
    return el("button", { type: "button", "data-finding": f.index, tabindex: -1, onclick: () => this.owner.chooseFinding(f, "list") }, content);
  }

  // place names the place of a finding.
  place(f) {
    const at = f.line + ":" + f.column;
    return [this.data.files.length > 1 ? middle(fileName(this.owner.short(f.path)) + ":" + at) : "line " + at,
      f.record === undefined ? "" : " \u00b7 record " + number(f.record)];
  }

  places(group) {
    const [f] = group.findings, count = number(f.count) + " places";
    return this.data.files.length < 2 ? count : [count + " in ", middle(fileName(this.owner.short(f.path)))];
  }

  open(group, on) {
    group.head.setAttribute("aria-expanded", String(on));
    group.list.hidden = group.more.hidden = !on;
    group.isOpen = on;
    if (on && group.grown === 0) this.growGroup(group);
    else if (on) group.more.hidden = group.grown >= group.findings.length;
  }

  growGroup(group) {
    for (const f of group.findings.slice(group.grown, group.grown + step)) group.list.append(el("li", {}, this.row(f, el("span", { class: "where" }, this.place(f)))));
    group.grown = Math.min(group.findings.length, group.grown + step);
    group.more.hidden = group.grown >= group.findings.length;
    group.more.textContent = "Show more (" + number(group.findings.length - group.grown) + ")";
    this.mark(this.owner.finding);
  }

  // toggle opens a group, and chooses its first finding, or closes it.
  toggle(group) {
    const on = !group.isOpen;
    this.opened.set(group.key, on);
    this.open(group, on);
    if (on && !group.findings.includes(this.owner.finding)) this.owner.chooseFinding(group.findings[0], "list group");
    else this.mark(this.owner.finding);
  }

  // reveal opens what hides a finding, and scrolls to it.
  reveal(f) {
    const group = this.groupOf.get(f);
    if (!group) return;
    const at = this.groups.indexOf(group);
    while (this.grown <= at) this.grow();
    if (group.head) {
      this.open(group, true);
      const i = group.findings.indexOf(f);
      while (group.grown <= i) this.growGroup(group);
    }
    this.mark(f);
    scrollInto(this.list.querySelector("[aria-current]"));
  }

  // mark marks a finding, or the closed group that it is in. It is the one that the
  // Tab key reaches; the arrow keys reach the others.
  mark(f) {
    const group = f && this.groupOf.get(f);
    const now = group && (this.list.querySelector('[data-finding="' + f.index + '"]:not([hidden] *)') || group.head);
    for (const b of this.list.querySelectorAll("[aria-current]")) b.removeAttribute("aria-current");
    for (const b of this.list.querySelectorAll('[tabindex="0"]')) b.tabIndex = -1;
    if (now) now.setAttribute("aria-current", "true");
    const reached = now || this.list.querySelector("button");
    if (reached) reached.tabIndex = 0;
  }

  // step returns the finding that many lines after the chosen one.
  step(by) {
    const i = this.shown.indexOf(this.owner.finding);
    return this.shown[i < 0 ? (by > 0 ? 0 : this.shown.length - 1) : Math.max(0, Math.min(this.shown.length - 1, i + by))];
  }

  // key moves to another line with the arrow keys, and opens and closes groups.
  key(e) {
    const button = e.target.closest("button");
    const group = this.groups.find((g) => g.head && g.head === button);
    const turn = { ArrowRight: true, ArrowLeft: false }[e.key];
    if (turn !== undefined) {
      if (!group || group.isOpen === turn) return;
      e.preventDefault();
      this.opened.set(group.key, turn);
      this.open(group, turn);
      return;
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!by) return;
    e.preventDefault();
    const all = [...this.list.querySelectorAll("button")].filter((b) => !b.closest("[hidden]"));
    const next = all[all.indexOf(button) + by];
    if (!next) return;
    next.focus();
    const f = this.data.findings[next.dataset.finding];
    if (f) this.owner.chooseFinding(f, "list keys");
  }
}
