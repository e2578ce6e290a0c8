// The page of a recording: timeline, findings and conversation. It shows a
// document of internal/show/page and knows nothing else: it makes no request, and
// what comes from a recording becomes text nodes and pixels, never markup.
//
//   const page = lmclintPage(element);
//   page.show(document);           // again for each new document
//   page.onFinding = (f) => {};    // called when the reader chooses a finding
//   page.linked = true;            // each finding has an address: page.goTo(hash)
//
// Its parts are elements.js, view.js, drawing.js, timeline.js and findings.js,
// which come before it: plain scripts, so that the page needs no build step.
"use strict";

// commonFolder returns the folder that all paths are in, with a slash at its end;
// "" if they have none in common.
function commonFolder(paths) {
  if (paths.length < 2) return "";
  let common = paths[0].split("/").slice(0, -1);
  for (const path of paths) {
    const parts = path.split("/").slice(0, -1);
    const differs = common.findIndex((part, i) => part !== parts[i]);
    if (differs >= 0) common = common.slice(0, differs);
  }
  return common.length ? common.join("/") + "/" : "";
}

class Page {
  constructor(root) {
    this.root = root;
    this.timeline = new Timeline(this);
    this.live = el("p", { class: "hidden", role: "status" });
    this.list = new FindingList(this);
    this.build();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
  }

  repaint() {
    this.timeline.strip.cached = null;
    this.timeline.draw();
  }

  build() {
    this.title = el("h1", {}, "lmclint");
    this.counts = el("p", { class: "counts" });
    this.theme = el("button", { type: "button", class: "quiet", onclick: () => this.nextTheme() }, "Theme: auto");
    this.notices = el("section", { class: "notices", "aria-label": "Not checked, or not shown" });
    this.files = el("nav", { class: "files", "aria-label": "Files" });
    this.heading = el("h2", { class: "file" });
    this.facts = el("p", { class: "facts" });
    this.conversations = el("select", { "aria-label": "Conversation", onchange: () => this.openView(Number(this.conversations.value)) });
    this.timed = el("button", { type: "button", "aria-pressed": "false", onclick: () => this.setByTime(!this.timeline.byTime) }, "By time");
    this.tools = el("div", { class: "tools", role: "group", "aria-label": "Timeline" },
      this.conversations,
      el("button", { type: "button", onclick: () => this.timeline.zoom(0.6), "aria-label": "Zoom in" }, "+"),
      el("button", { type: "button", onclick: () => this.timeline.zoom(1 / 0.6), "aria-label": "Zoom out" }, "\u2212"),
      el("button", { type: "button", onclick: () => this.timeline.fit() }, "Fit"),
      this.timed);
    this.legend = el("ul", { class: "legend" });
    this.keys = el("p", { class: "keys", id: "timeline-keys" },
      "\u2190 \u2192 previous, next block \u00b7 n p next, previous finding \u00b7 + \u2212 zoom \u00b7 Shift \u2190 \u2192 pan \u00b7 0 fit \u00b7 Ctrl wheel zooms");
    this.blocks = el("details", { class: "blocks", ontoggle: () => this.showBlocks() }, el("summary", {}, "Blocks as a table"));
    this.looked = el("pre", {});
    this.coverage = el("details", { class: "coverage", hidden: true }, el("summary", {}, "What was checked"), this.looked);
    this.findingsTab = this.tab("findings", "Findings");
    this.conversationTab = this.tab("conversation", "Conversation");
    this.findingsPanel = el("div", { id: "panel-findings", role: "tabpanel", "aria-labelledby": "tab-findings" });
    this.conversationPanel = el("div", { id: "panel-conversation", role: "tabpanel", "aria-labelledby": "tab-conversation", hidden: true, tabindex: 0 });
    this.findingsPanel.append(...this.list.parts);
    this.detail = el("section", {
      class: "detail", "aria-labelledby": "detail-title", tabindex: 0,
      onkeydown: (e) => { if (e.key === "Escape") this.closeSheet(); },
    });
    const split = el("div", { class: "split", onkeydown: (e) => this.key(e) },
      el("section", { class: "list", "aria-label": "Findings and conversation" },
        el("div", { role: "tablist", "aria-label": "Views" }, this.findingsTab, this.conversationTab),
        this.findingsPanel, this.conversationPanel),
      this.detail);
    this.lanesSection = el("section", { class: "timeline", "aria-labelledby": "timeline-title" },
      el("div", { class: "bar" }, el("div", {}, this.heading, this.facts), this.tools),
      el("h3", { class: "hidden", id: "timeline-title" }, "Timeline"),
      this.timeline.element, el("div", { class: "under" }, this.legend, this.keys), this.blocks);
    for (const type of ["keydown", "keyup"]) this.root.addEventListener(type, (e) => { this.isHeld = e.repeat; }, true);
    this.root.replaceChildren(
      el("header", { class: "top" }, this.title, this.counts, this.theme),
      this.notices,
      el("div", { class: "body" },
        this.files,
        el(this.root.closest("main") ? "div" : "main", { class: "main" },
          this.lanesSection,
          split,
          this.coverage)),
      this.live);
  }

  tab(name, text) {
    return el("button", {
      type: "button", role: "tab", id: "tab-" + name, "aria-controls": "panel-" + name, "aria-selected": String(name === "findings"),
      tabindex: name === "findings" ? 0 : -1, onclick: () => this.showTab(name),
      onkeydown: (e) => {
        if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
        e.preventDefault();
        const other = name === "findings" ? "conversation" : "findings";
        this.showTab(other);
        this[other + "Tab"].focus();
      },
    }, text);
  }

  showTab(name) {
    for (const each of ["findings", "conversation"]) {
      const on = each === name;
      this[each + "Tab"].setAttribute("aria-selected", String(on));
      this[each + "Tab"].tabIndex = on ? 0 : -1;
      this[each + "Panel"].hidden = !on;
    }
    this.openTab = name;
    if (name === "conversation") this.showConversation();
  }

  nextTheme() {
    const next = { auto: "light", light: "dark", dark: "auto" }[document.documentElement.dataset.theme || "auto"];
    document.documentElement.dataset.theme = next;
    this.theme.textContent = "Theme: " + next;
    this.repaint();
  }

  // show shows a document. What was chosen stays chosen where it still exists.
  show(data) {
    const before = this.data && this.file !== undefined ? this.data.files[this.file]?.path : undefined;
    const chosen = this.finding;
    const causes = data.findings.length;
    data.findings = data.findings.flatMap(occurrences);
    this.data = data;
    this.addresses = new Map();
    data.findings.forEach((f, i) => {
      f.index = i;
      const address = f.path + ":" + f.line + ":" + f.column + ":" + f.rule;
      f.address = address;
      for (let n = 2; this.addresses.has(f.address); n++) f.address = address + "~" + n;
      this.addresses.set(f.address, f);
    });
    this.views = new Map();
    this.folder = commonFolder(data.files.map((f) => f.path));
    const s = data.summary;
    this.counts.replaceChildren(
      count("error", s.errors), count("warning", s.warnings), count("note", s.notes),
      el("span", {}, "in " + quantity(s.files, "file") + ", " + quantity(s.records, "record")));
    document.title = (s.errors + s.warnings + s.notes ? [["error", s.errors], ["warning", s.warnings], ["note", s.notes]]
      .filter(([, n]) => n).map(([noun, n]) => quantity(n, noun)).join(", ") : data.rulesRun ? "No findings" : "No rule was run") + " \u2013 lmclint";
    this.findingsTab.textContent = "Findings (" + number(causes) + ")";
    const gaps = this.gaps();
    this.notices.replaceChildren(...gaps.map((line) => el("p", {}, line)));
    this.notices.hidden = !gaps.length;
    this.coverage.hidden = !data.coverage;
    this.looked.textContent = (data.coverage || []).join("\n");
    this.showFiles();
    this.list.show(data, this.rank);
    const again = data.files.findIndex((f) => f.path === before);
    const same = chosen && data.findings.find((f) => f.path === chosen.path && f.rule === chosen.rule && f.record === chosen.record && f.pointer === chosen.pointer);
    this.finding = (same && same.file === again ? same : again >= 0 ? this.worstOf(again) : this.list.sorted[0]) || null;
    this.showFile(this.finding ? this.finding.file : Math.max(again, 0), this.finding ? this.finding.view : 0);
    this.list.apply();
    this.showDetail();
    if (this.linked && before === undefined && location.hash.length > 1) this.goTo(location.hash);
  }

  // worstOf returns the most severe finding of a file, or of a conversation in it.
  worstOf(file, view) {
    return this.list.sorted.find((f) => f.file === file && (view === undefined || f.view === view)) || null;
  }

  // goTo shows what has an address: a finding, a block or an event, a conversation or a
  // file; without one, what was shown first. The page says if it does not have it.
  goTo(hash, isSheet = hash.length > 1) {
    const address = addressOf(hash), f = this.addresses.get(address);
    const [, path, view, kind, record] = /^(.*?)(?::conversation:(\d+))?(?::(block|event):(\d+))?$/s.exec(address);
    const file = f ? f.file : this.data.files.findIndex((each) => each.path === path);
    if (f) this.chooseFinding(f, "address");
    else if (!address) this.showChoice(this.list.sorted[0] || null, 0, 0);
    else {
      const worst = record === undefined && file >= 0 ? this.worstOf(file, view && Number(view)) : null;
      this.showChoice(worst, Math.max(file, 0), Number(view || 0));
      const values = kind === "block" ? this.view?.bars.first : this.view?.marks.record;
      const i = record === undefined ? -1 : values?.indexOf(Number(record)) ?? -1;
      if (i >= 0) this.chooseItem(kind === "block" ? { bar: i } : { mark: i }, "address");
      else if (file < 0 || record !== undefined || (view && !this.view)) this.showMissing(address);
    }
    this.root.classList.toggle("sheet", isSheet);
  }

  // showChoice shows a file and a conversation, those of the finding if there is one.
  showChoice(f, file, view) {
    this.choose(f);
    this.showFile(f ? f.file : file, f ? f.view : view);
    if (f) this.list.reveal(f);
    else this.list.mark(null);
    this.showDetail();
  }

  showMissing(address) {
    const text = "The link leads to " + fileName(address) + ", which is not in this report. It may be of another run, or beyond the limits of this page.";
    this.detail.replaceChildren(this.close(), el("h3", { id: "detail-title" }, "Not in this report"), el("p", { class: "none" }, text));
    this.live.textContent = text;
  }

  // remember makes a choice one to which the browser can go back.
  remember(address) {
    if (!this.linked || hashOf(address) === location.hash) return;
    const state = { isSheet: this.root.classList.contains("sheet") };
    try { // a page in a frame may not
      if (this.isHeld) history.replaceState(state, "", hashOf(address));
      else history.pushState(state, "", hashOf(address));
    } catch { /* the choice is shown all the same */ }
  }

  // gaps lists what this report does not say: what was not checked, and what it does not
  // show.
  gaps() {
    const { summary: s, left, rulesOff, unread = [], files } = this.data;
    const lines = [];
    if (s.incomplete) lines.push("This run is incomplete: findings may be missing.");
    if (rulesOff.length) {
      lines.push(quantity(rulesOff.length, "rule") + " switched off or not selected" + (files.length > 1 ? " for at least one file" : "") +
        (rulesOff.length < 10 ? ": " + rulesOff.join(", ") : "") + ".");
    }
    if (s.known) lines.push(quantity(s.known, "finding") + " suppressed by the baseline.");
    if (s.hidden) lines.push(quantity(s.hidden, "finding") + " beyond the limit of the run.");
    for (const line of unread) lines.push(line + ".");
    if (left.findings) lines.push(quantity(left.findings, "more finding") + " not in this page; --format json has all.");
    if (left.files) lines.push(quantity(left.files, "more file") + " without findings not in this page.");
    if (left.views) lines.push(quantity(left.views, "file") + " without a timeline, because the page would be too large.");
    for (const f of files) if (f.failure && lines.length < 20) lines.push(fileName(f.path) + ": " + f.failure);
    return lines;
  }

  // noFindings says what the absence of findings means.
  noFindings(rules) {
    return rules ? "No findings of " + quantity(rules, "rule") + (this.data.summary.incomplete ? " in what was checked." : ".") : "No rule was run.";
  }

  // ------------------------------------------------------------------ files

  showFiles() {
    const { files } = this.data;
    const shown = files.map((_, i) => i).sort((a, b) => files[b].errors - files[a].errors || files[b].warnings - files[a].warnings || files[b].notes - files[a].notes || a - b);
    this.rank = [];
    shown.forEach((file, i) => { this.rank[file] = i; });
    this.files.hidden = files.length < 2;
    this.root.classList.toggle("several", files.length > 1);
    if (files.length < 2) return;
    const list = el("ul", {});
    let from = 0;
    const more = el("button", { type: "button", class: "quiet" });
    const grow = () => {
      for (const i of shown.slice(from, from + step)) {
        list.append(el("li", {}, el("button", { type: "button", "data-file": i, title: fileName(files[i].path), tabindex: -1, onclick: () => this.openFile(i) },
          middle(fileName(this.short(files[i].path))), tally(files[i]))));
      }
      from += step;
      more.hidden = from >= shown.length;
      more.textContent = "Show more files (" + number(Math.max(0, shown.length - from)) + ")";
    };
    more.addEventListener("click", grow);
    this.growFilesTo = (rank) => { while (from <= rank) grow(); };
    list.addEventListener("keydown", (e) => {
      const next = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[e.key];
      const to = next && e.target.closest("li")[next]?.firstChild;
      if (!to) return;
      e.preventDefault();
      to.focus();
      this.openFile(Number(to.dataset.file));
    });
    this.files.replaceChildren(el("h2", {}, quantity(files.length, "file") + (this.folder ? " in " : ""), this.folder ? el("code", {}, fileName(this.folder)) : ""), list, more);
    grow();
  }

  // short returns a path without the folder that all files are in.
  short(path) { return path.startsWith(this.folder) ? path.slice(this.folder.length) : path; }

  // markFile marks the file that is shown. It is the one that the Tab key reaches;
  // the arrow keys reach the others.
  markFile() {
    if (!this.files.hidden) this.growFilesTo(this.rank[this.file] ?? 0);
    const all = [...this.files.querySelectorAll("button[data-file]")];
    for (const b of all) {
      b.tabIndex = -1;
      b.removeAttribute("aria-current");
    }
    const now = all.find((b) => Number(b.dataset.file) === this.file);
    now?.setAttribute("aria-current", "true");
    const reached = now || all[0];
    if (reached) reached.tabIndex = 0;
    if (now && this.files.scrollHeight > this.files.clientHeight) this.files.scrollTop = nearestScroll(this.files, now);
  }

  // openFile shows a file of the index, with its most severe finding.
  openFile(i) {
    this.showChoice(this.worstOf(i), i, 0);
    this.remember(this.data.files[i].path);
  }

  // openView shows a conversation of the file.
  openView(index) {
    this.showChoice(this.worstOf(this.file, index), this.file, index);
    this.remember(this.addressOfView());
  }

  // addressOfView returns the address of the conversation that is shown.
  addressOfView() {
    const f = this.data.files[this.file];
    return f.path + (f.views?.length > 1 ? ":conversation:" + this.view.index : "");
  }

  // showFile shows a file and one of its conversations.
  showFile(i, view) {
    this.file = i;
    const f = this.data.files[i];
    this.markFile();
    this.lanesSection.hidden = !f;
    const views = f?.views || [];
    this.heading.replaceChildren(fileName(f?.path || ""));
    if (f) {
      this.facts.replaceChildren(visible([f.protocol === "workbench" ? "Semantic Workbench" : (f.protocol || "").toUpperCase(), f.kind, f.form, f.dialect && "dialect " + f.dialect,
        quantity(f.records, "record"), quantity(f.rules, "rule"), f.suppressed && quantity(f.suppressed, "finding") + " suppressed", views.length > 1 && quantity(views.length, "conversation"),
        f.leftOut && quantity(f.leftOut, "more conversation") + " not shown",
      ].filter(Boolean).join(" \u00b7 ")));
    }
    this.conversations.hidden = views.length < 2;
    this.conversations.replaceChildren(...views.map((v, n) => el("option", { value: n }, "Conversation " + number(v.number < 0 ? n : v.number) +
      " (" + quantity(v.records, "record") + ")")));
    this.showView(Math.max(0, view));
    if (this.list.filter.here) this.list.apply();
  }

  viewOf(file, index) {
    const key = file + "/" + index;
    if (!this.views.has(key)) {
      const data = (this.data.files[file].views || [])[index];
      if (!data) return null;
      const findings = this.data.findings.filter((f) => f.file === file && f.view === index);
      this.views.set(key, new View(data, file, index, findings, this.data.states));
    }
    return this.views.get(key);
  }

  // showView shows a conversation of the file, or that it has none. What was chosen
  // in another one is not in it.
  showView(index) {
    this.view = this.data.files[this.file] ? this.viewOf(this.file, index) : null;
    this.conversationOf = undefined;
    this.lanesSection.classList.toggle("none", !this.view);
    this.timeline.element.hidden = this.tools.hidden = !this.view;
    this.conversations.value = String(index);
    this.blocks.open = false;
    this.blocks.hidden = this.keys.hidden = this.legend.hidden = !this.view;
    this.timeline.show(this.view);
    if (this.view) {
      this.timed.hidden = !this.view.timed;
      this.timed.setAttribute("aria-pressed", "false");
      this.showLegend();
      this.selectInTimeline(this.finding);
    }
    if (this.openTab === "conversation") this.showConversation();
  }

  // selectInTimeline selects the block of a finding. It reports whether there is one.
  selectInTimeline(f) {
    if (!this.view || !f || f.record === undefined || f.view !== this.view.index || f.file !== this.file) return false;
    const bar = this.view.barAt(f.record, f.lane);
    this.timeline.select(bar);
    this.timeline.cursor = this.view.items.findIndex((item) => item.bar === bar);
    return true;
  }

  setByTime(on) {
    this.timeline.setByTime(on);
    this.timed.setAttribute("aria-pressed", String(this.timeline.byTime));
  }

  showLegend() {
    const v = this.view;
    let all = 0;
    for (const s of v.bars.state) all |= s;
    const items = v.stateNames.filter((name, i) => all & (1 << i) && name !== "stored").map((name) => [name, { open: "open at the end", startless: "no start" }[name] || name]);
    const kinds = new Set(v.marks.kind);
    this.legend.replaceChildren(...items.map(([name, text]) => el("li", {}, el("i", { class: "swatch " + name }), text)),
      ...["confirmation", "command", "status", "error", "auth", "frame", "event"].filter((k) => kinds.has(k)).map((k) => el("li", {}, el("i", { class: "glyph " + k }), k)));
  }

  // showBlocks lists the blocks as a table, for those who cannot see the canvas.
  showBlocks() {
    const old = this.blocks.querySelector("div");
    if (old) old.remove();
    if (!this.blocks.open || !this.view) return;
    const v = this.view, body = el("tbody", {});
    let from = 0;
    const more = el("button", { type: "button", class: "quiet" });
    const grow = () => {
      for (const item of v.items.slice(from, from + step)) {
        const isBar = item.bar !== undefined;
        const record = isBar ? v.bars.first[item.bar] : v.marks.record[item.mark];
        body.append(el("tr", {},
          el("td", {}, el("button", { type: "button", class: "link", onclick: () => this.timeline.choose(item) }, isBar ? v.range(item.bar) : "record " + number(record))),
          el("td", {}, isBar ? v.title(item.bar) : v.markTitle(item.mark)),
          el("td", {}, isBar ? v.states(item.bar).join(", ") : ""),
          el("td", {}, isBar ? v.findingsIn(item.bar).map((f) => f.rule).join(", ") : (v.byRecord.get(record) || []).map((f) => f.rule).join(", "))));
      }
      from += step;
      more.hidden = from >= v.items.length;
      more.textContent = "Show more (" + number(Math.max(0, v.items.length - from)) + ")";
    };
    more.addEventListener("click", grow);
    grow();
    this.blocks.append(el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Blocks" }, el("table", {},
      el("thead", {}, el("tr", {}, ["Records", "Block or event", "State", "Findings"].map((t) => el("th", { scope: "col" }, t)))), body), more));
  }

  // --------------------------------------------------------------- choosing

  // choose sets the chosen finding, or that there is none.
  choose(f) {
    this.finding = f;
    this.timeline.draw();
  }

  // key steps to another finding.
  key(e) {
    const by = { n: 1, p: -1 }[e.key];
    if (!by || e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input, select")) return;
    e.preventDefault();
    this.stepFinding(by);
  }

  stepFinding(by) {
    const f = this.list.step(by);
    if (f) this.chooseFinding(f, "keys");
  }

  // chooseFinding shows a finding everywhere: in the timeline, in the list or the
  // conversation, and with its record and its rule.
  chooseFinding(f, by) {
    this.choose(f);
    if (f.file !== this.file || (f.view >= 0 && this.view?.index !== f.view)) this.showFile(f.file, f.view);
    if (this.selectInTimeline(f)) this.timeline.reveal(f.record, f.lane, true);
    else this.timeline.select();
    if (by.startsWith("list")) this.list.mark(f);
    else if (this.openTab !== "conversation") this.list.reveal(f);
    if (this.openTab === "conversation") this.showMessageOf(f);
    this.showDetail();
    if (by !== "list group") this.openSheet(by);
    if (by !== "address") this.remember(f.address);
    this.onFinding?.(f);
    if (!by.startsWith("list")) this.live.textContent = f.severity + " " + f.rule + ": " + visible(f.message) + placeOf(f);
  }

  // chooseItem shows a block or an event.
  chooseItem({ bar, mark }, by) {
    const v = this.view;
    this.choose(null);
    this.list.mark(null);
    this.timeline.select(bar, mark);
    this.timeline.cursor = v.items.findIndex((item) => (bar === undefined ? item.mark === mark : item.bar === bar));
    this.showDetail(bar, mark);
    this.openSheet();
    if (this.openTab === "conversation") this.showMessage(this.timeline.cursor);
    const record = bar === undefined ? v.marks.record[mark] : v.bars.first[bar];
    if (by !== "address") this.remember(this.addressOfView() + (bar === undefined ? ":event:" : ":block:") + record);
    this.live.textContent = visible(bar === undefined ? v.markTitle(mark) + ", record " + number(record)
      : [v.title(bar), v.range(bar), ...v.states(bar)].join(", "));
  }

  // openSheet shows the details on a narrow screen, where they cover a part of the
  // list. The focus goes to them, and back to the list.
  openSheet(by) {
    this.root.classList.add("sheet");
    if (!isNarrow()) return;
    if (by?.startsWith("list")) this.list.list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    else if (by === "timeline" || by === "keys") this.lanesSection.scrollIntoView({ block: "start" });
    if (by === "list") this.detail.focus({ preventScroll: true });
  }

  closeSheet() {
    if (!isNarrow()) return;
    this.root.classList.remove("sheet");
    if (this.linked) history.replaceState({ isSheet: false }, "");
    this.list.list.querySelector("[aria-current]")?.focus({ preventScroll: true });
  }

  // ----------------------------------------------------------------- detail

  showDetail(bar, mark) {
    const f = this.data.files[this.file];
    const none = (f && !this.worstOf(this.file) ? this.noFindings(f.rules) + (f.suppressed ? " " + quantity(f.suppressed, "finding") + " suppressed by the baseline." : "") + " " : "") +
      (this.data.findings.length ? "Choose a finding, or a block in the timeline." : this.view ? "Choose a block in the timeline." : "");
    const parts = this.finding ? this.detailOfFinding(this.finding)
      : bar !== undefined && bar >= 0 ? this.detailOfBar(bar)
        : mark !== undefined ? this.detailOfMark(mark)
          : [el("h3", { id: "detail-title" }, "Details"), el("p", { class: "none" }, none)];
    this.detail.replaceChildren(this.close(), ...parts.flat());
    this.detail.scrollTop = 0;
  }

  close() { return el("button", { type: "button", class: "close", onclick: () => this.closeSheet() }, "Close"); }

  detailOfFinding(f) {
    const rule = this.data.rules[f.rule];
    const v = f.view >= 0 ? this.viewOf(f.file, f.view) : null;
    const bar = v && f.record !== undefined ? v.barAt(f.record, f.lane) : -1;
    return [
      el("p", { class: "kicker " + f.severity }, el("b", {}, f.severity), " ", ruleLink(rule, f.rule + " " + f.name),
        this.linked ? el("a", { class: "address", href: hashOf(f.address), "aria-label": "Link to this finding", title: "Link to this finding" }, "#") : ""),
      el("h3", { id: "detail-title" }, f.message),
      f.help && el("p", { class: "help" }, el("b", {}, "Help: "), f.help),
      this.steps(f),
      el("p", { class: "where" }, fileName(f.path) + ":" + f.line + ":" + f.column, f.pointer ? " \u00b7 " + f.pointer : "",
        bar >= 0 ? el("span", {}, " \u00b7 ", el("button", { type: "button", class: "link", onclick: () => this.chooseItem({ bar: bar }) }, v.title(bar) + ", " + v.range(bar))) : ""),
      this.source(f, v),
      f.fix ? this.fix(f) : null,
      el("section", { class: "rule", "aria-label": "About the rule" },
        el("h4", {}, "Why it matters"),
        el("p", {}, rule.rationale),
        rule.evidence?.length ? el("details", {}, el("summary", {}, "Evidence"), el("ul", {}, rule.evidence.map((e) => el("li", {}, e)))) : null,
        rule.bad ? el("details", {}, el("summary", {}, "Example with the mistake"), code(rule.bad)) : null,
        rule.good ? el("details", {}, el("summary", {}, "Example without it"), code(rule.good)) : null,
        el("p", { class: "faint" }, "lmclint explain " + f.rule)),
    ].filter(Boolean);
  }

  // steps is the number of a place of a finding that has several, with the way to the others.
  steps(f) {
    const { all } = f.cause;
    if (f.cause.count < 2) return null;
    const at = all.indexOf(f);
    const to = (i, text) => el("button", { type: "button", disabled: !all[i], onclick: () => { this.chooseFinding(all[i], "places"); this.detail.focus({ preventScroll: true }); } }, text);
    return el("p", { class: "steps" }, el("b", {}, "P" + placeOf(f).slice(3)), to(at - 1, "Previous (p)"), to(at + 1, "Next (n)"),
      all.length < f.cause.count && el("span", { class: "faint" }, number(f.cause.count - all.length) + " before the last one are not listed"));
  }

  // fix shows what lmclint fix would do: the record before and after.
  fix(f) {
    return el("section", { class: "fix", "aria-label": "Fix" },
      el("h4", {}, f.fix.safe ? "Fix" : "Fix that may guess wrong"),
      el("p", {}, f.fix.message + " \u00b7 ", el("code", {}, "lmclint fix" + (f.fix.safe ? "" : " --unsafe"))),
      f.change && el("div", { class: "scroll source", tabindex: 0, role: "region", "aria-label": "The record before and after the fix" },
        el("table", {}, el("thead", { class: "hidden" }, el("tr", {}, el("th", { scope: "col" }, "Change"), el("th", { scope: "col" }, "Text"))), el("tbody", {},
          f.change.before && el("tr", { class: "before" }, el("th", { scope: "row", "aria-label": "before" }, "\u2212"), el("td", {}, fromExcerpt(f.change.before, "before"))),
          f.change.after && el("tr", { class: "after" }, el("th", { scope: "row", "aria-label": "after" }, "+"), el("td", {}, fromExcerpt(f.change.after, "after")))))));
  }

  // source shows the bytes of the record, those next to it and the related ones,
  // with the places marked.
  source(f, v) {
    const rows = new Map();
    const put = (record, line, cells) => rows.set(record, { record, line, cells });
    const kept = v && f.record !== undefined ? v.excerptOf.get(f.record) : null, mark = f.mark || (kept && markAt(kept, f)), mine = mark ? kept : null;
    const label = (kind, text) => el("span", { class: "label " + kind }, text);
    if (mine) put(f.record, mine.line, [marked(mine, mark, f.severity), label(f.severity, f.message)]);
    else if (f.excerpt) put(f.record ?? -1, f.line, [fromExcerpt(f.excerpt, f.severity), label(f.severity, f.message)]);
    f.related.forEach((r, i) => {
      const place = f.relatedAt[i];
      const record = r.record ?? -2 - i;
      const same = rows.get(record);
      const other = place.mark && v ? v.excerptOf.get(r.record) : null;
      const line = (r.path ? fileName(r.path) + ":" : "") + r.line;
      const cells = [other ? marked(other, place.mark, "related") : place.excerpt ? fromExcerpt(place.excerpt, "related") : null, label("related", r.message)];
      if (same) same.cells.push(...cells);
      else put(record, line, cells);
    });
    if (v && f.record !== undefined) {
      for (const e of v.excerpts) {
        if (Math.abs(e.record - f.record) <= 2 && !rows.has(e.record)) put(e.record, e.line, [marked(e)]);
      }
    }
    const sorted = [...rows.values()].sort((a, b) => a.record - b.record);
    const body = [];
    let last = null;
    for (const row of sorted) {
      if (last !== null && row.record > last + 1) body.push(el("tr", { class: "gap" }, el("td", {}, "\u22ee"), el("td", {})));
      last = row.record;
      body.push(el("tr", { class: row.record === (f.record ?? -1) ? "hit" : "" }, el("th", { scope: "row" }, String(row.line)), el("td", {}, row.cells)));
    }
    return el("div", { class: "scroll source", tabindex: 0, role: "region", "aria-label": "Records in the input" },
      el("table", {}, el("thead", { class: "hidden" }, el("tr", {}, el("th", { scope: "col" }, "Line"), el("th", { scope: "col" }, "Text"))), el("tbody", {}, body)));
  }

  detailOfBar(bar) {
    const v = this.view, states = v.states(bar).filter((s) => s !== "stored");
    const about = {
      open: "The input ends inside this block.", cut: "Another record ended this block; it has no end flag.", unconfirmed: "This code ran without a confirmation.",
      empty: "Nothing is between its start and its end.", startless: "Its content comes without a start flag.",
    };
    return [
      el("p", { class: "kicker" }, v.hasState(bar, "stored") ? "Message" : "Block"),
      el("h3", { id: "detail-title" }, v.title(bar)),
      el("p", { class: "where" }, v.range(bar), v.timed ? " \u00b7 " + (v.bars.written[bar] || new Date(v.bars.start[bar]).toISOString()) + ", " + duration(v.bars.end[bar] - v.bars.start[bar], 1) : ""),
      ...states.map((s) => el("p", { class: "state " + s }, el("b", {}, s), " \u2013 " + about[s])),
      this.findingLinks(v.findingsIn(bar)),
      el("div", { class: "said" }, this.content(v, bar)),
    ];
  }

  detailOfMark(mark) {
    const v = this.view, { kind, record, code } = v.marks;
    const bar = code[mark] >= 0 ? v.barAt(code[mark]) : -1;
    return [
      el("p", { class: "kicker" }, kind[mark]),
      el("h3", { id: "detail-title" }, v.markTitle(mark)),
      el("p", { class: "where" }, "record " + number(record[mark]),
        bar >= 0 ? el("span", {}, " \u00b7 confirms ", el("button", { type: "button", class: "link", onclick: () => this.chooseItem({ bar: bar }) }, v.title(bar))) : ""),
      this.findingLinks(v.byRecord.get(record[mark]) || []),
    ];
  }

  findingLinks(findings) {
    return el("ul", { class: "links" }, findings.slice(0, 50).map((f) => el("li", {}, el("button", { type: "button", class: "callout " + f.severity, onclick: () => this.chooseFinding(f, "link") },
      el("b", {}, f.severity + " " + f.rule), " " + f.message))));
  }

  // ----------------------------------------------------------- conversation

  // showConversation lists messages around the one that is chosen.
  showConversation() {
    if (!this.view) { this.conversationPanel.replaceChildren(el("p", { class: "none" }, "No conversation to show.")); return; }
    const f = this.finding;
    const at = f && f.record !== undefined && f.view === this.view.index ? this.itemOf(f) : this.timeline.cursor;
    if (this.conversationOf !== this.view) this.showMessages(Math.max(0, at - step / 4));
    this.conversationOf = this.view;
    if (at >= 0) this.showMessage(at);
  }

  showMessages(from) {
    const items = this.view.items;
    this.messagesFrom = Math.max(0, Math.min(from, Math.max(0, items.length - step)));
    this.messagesTo = Math.min(items.length, this.messagesFrom + step);
    const list = el("ol", { class: "messages" });
    for (let i = this.messagesFrom; i < this.messagesTo; i++) list.append(this.message(i));
    const before = el("button", { type: "button", class: "quiet", hidden: this.messagesFrom === 0, onclick: () => this.showMessages(this.messagesFrom - step) },
      "Earlier (" + number(this.messagesFrom) + ")");
    const after = el("button", { type: "button", class: "quiet", hidden: this.messagesTo === items.length, onclick: () => { this.showMessages(this.messagesTo); this.conversationPanel.scrollTop = 0; } },
      "Later (" + number(items.length - this.messagesTo) + ")");
    this.conversationPanel.replaceChildren(this.missing(), before, items.length ? list : el("p", { class: "none" }, "No messages."), after);
  }

  // missing says what the page does not have of the conversation, and how to see it.
  missing() {
    const { bars } = this.view;
    let merged = 0, shortened = 0, omitted = 0;
    for (const n of bars.count) if (n > 1) merged += n;
    for (const c of bars.content) if (c?.omitted) { shortened++; omitted += c.omitted; }
    const lost = this.data.files[this.file].notDrawn;
    const parts = [merged && number(merged) + " neighboring blocks and events are drawn together", shortened && bytes(omitted) + " of the text of " + quantity(shortened, "block"),
      lost && quantity(lost, "block") + " and events are not drawn"].filter(Boolean);
    return parts.length ? el("p", { class: "missing" }, "Not all of this conversation is in the page: ", parts.join("; "), ". ",
      el("code", {}, "lmclint convert --to messages " + fileName(this.data.files[this.file].path)), " writes all of its text.") : "";
  }

  // itemOf returns the place of a finding's message in the conversation.
  itemOf(f) {
    const v = this.view, bar = v.barAt(f.record, f.lane);
    const i = v.items.findIndex((item) => (item.bar !== undefined ? item.bar === bar : v.marks.record[item.mark] === f.record));
    return i;
  }

  showMessageOf(f) {
    if (this.conversationOf !== this.view) { this.showConversation(); return; }
    if (f.record !== undefined && f.view === this.view?.index) this.showMessage(this.itemOf(f));
  }

  showMessage(i) {
    if (i < this.messagesFrom || i >= this.messagesTo) this.showMessages(i - step / 4);
    for (const e of this.conversationPanel.querySelectorAll(".chosen")) e.classList.remove("chosen");
    const e = this.conversationPanel.querySelector('[data-item="' + i + '"]');
    e?.classList.add("chosen");
    scrollInto(e);
  }

  message(i) {
    const v = this.view, item = v.items[i];
    if (item.mark !== undefined) {
      const { kind, record, lane } = v.marks;
      const found = (v.byRecord.get(record[item.mark]) || []).filter((f) => f.lane === lane[item.mark] && v.barAt(f.record, f.lane) < 0);
      return el("li", { class: "event", "data-item": i }, el("button", { type: "button", class: "quiet", onclick: () => this.chooseItem(item) },
        el("i", { class: "glyph " + kind[item.mark] }), v.markTitle(item.mark)), found.length ? this.findingLinks(found) : null);
    }
    const { role, type, format } = v.kindOf(item.bar);
    const lane = v.lanes[v.bars.lane[item.bar]];
    const states = v.states(item.bar).filter((s) => s !== "stored");
    const known = ["user", "assistant", "computer", "server"].includes(lane) ? lane : "other";
    return el("li", { class: "message lane-" + known, "data-item": i },
      el("div", { class: "head" },
        el("b", {}, role || lane), " ", el("span", { class: "type" }, type + (format && type !== "code" ? " " + format : "")),
        states.map((s) => el("span", { class: "state " + s }, s)),
        el("button", { type: "button", class: "link range", onclick: () => this.chooseItem(item) }, v.range(item.bar))),
      this.content(v, item.bar),
      this.findingLinks(v.findingsIn(item.bar)));
  }

  // content shows what a block says.
  content(v, bar) {
    const { type, format } = v.kindOf(bar);
    const c = v.bars.content[bar];
    if (v.bars.count[bar] > 1) return el("p", { class: "none" }, "Drawn as one bar, without their text.");
    if (!c) return el("p", { class: "none" }, "No content.");
    const { head, tail, omitted, image, mediaType, binary } = c;
    const parts = [];
    if (image && (mediaType === "image/png" || mediaType === "image/jpeg") && /^[A-Za-z0-9+/=\s]+$/.test(image)) {
      parts.push(el("img", { src: "data:" + mediaType + ";base64," + image.replace(/\s/g, ""), alt: "Image in " + v.range(bar) }));
    }
    const left = omitted ? [el("span", { class: "omitted" }, "\u2026 " + bytes(omitted) + " left out \u2026"), tail] : [];
    if (head || omitted) {
      if (type === "code") parts.push(el("figure", {}, el("figcaption", {}, format || "code"), el("pre", {}, el("code", {}, head, left))));
      else if (type === "console" || type === "error") parts.push(el("pre", { class: "console" }, head, left));
      else parts.push(el("p", { class: "text" }, head, left));
    }
    if (binary) parts.push(el("p", { class: "none" }, bytes(binary) + " of " + (type || "binary") + " data, not shown"));
    return parts;
  }
}

const count = (severity, n) => (n ? el("span", { class: "badge " + severity }, quantity(n, severity)) : null) || "";

function tally(f) {
  const parts = severities.filter((s) => f[s + "s"]).map((s) => el("span", { class: "badge " + s }, number(f[s + "s"]), el("span", { class: "hidden" }, " " + s + (f[s + "s"] === 1 ? "" : "s"))));
  const none = f.failure ? "failed" : !f.rules ? "not checked" : f.suppressed ? number(f.suppressed) + " suppressed" : "no findings";
  return el("span", { class: "tally" }, parts.length ? parts : "", parts.length && !f.failure ? "" : el("span", { class: f.failure ? "badge error failed" : "faint" }, none));
}

// placeOf says which of its places a finding is, as in ", place 3 of 46".
function placeOf(f) {
  const { all, count } = f.cause, at = all.indexOf(f);
  return count < 2 ? "" : ", place " + number(at === all.length - 1 ? count : at + 1) + " of " + number(count);
}

// hashOf is an address as the fragment of a URL, and addressOf the address of a fragment,
// whether or not a program decoded it.
const hashOf = (address) => "#" + encodeURIComponent(address).replace(/%2F/g, "/").replace(/%3A/g, ":");

function addressOf(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

// ruleLink is the name of a rule as a link to its page.
const ruleLink = (rule, text) => (rule.page ? el("a", { href: rule.page, target: "_blank", rel: "noopener noreferrer" }, text) : text);

// isNarrow reports whether the details are a sheet over the list.
const isNarrow = () => matchMedia("(max-width: 900px)").matches;

const code = (text) => el("pre", { tabindex: 0 }, el("code", {}, text));

// markAt returns the word or value at the place of a finding of which only the start is
// known; all of the record if it is there.
function markAt(e, { line, column }) {
  if (e.decoded || e.line !== line) return null;
  const from = [...e.text].slice(0, column - e.column).join("").length;
  const [text] = from ? /^(?:"(?:[^"\\]|\\.)*"|[^,}\]\s]*)/s.exec(e.text.slice(from)) : [e.text];
  return [from, from + text.length];
}

// marked shows the excerpt of a record with a part of it marked.
function marked(e, mark, kind) {
  const cut = e.omitted ? el("span", { class: "omitted" }, "\u2026 " + bytes(e.omitted) + " left out") : "";
  if (!mark) return el("code", { class: "raw" }, e.text, cut);
  const [from, to] = mark;
  return el("code", { class: "raw" }, e.text.slice(0, from), el("mark", { class: kind }, e.text.slice(from, to) || "\u00a0"), e.text.slice(to), cut);
}

// fromExcerpt shows the line of a finding, for a record that is not kept.
function fromExcerpt(e, kind) {
  const [from, to] = e.mark;
  return el("code", { class: "raw" }, e.cutLeft ? "\u2026" : "", e.text.slice(0, from), el("mark", { class: kind }, e.text.slice(from, to) || "\u00a0"), e.text.slice(to), e.cutRight ? "\u2026" : "");
}

// nearestScroll returns where a panel is scrolled so that an element in it is seen.
function nearestScroll(panel, e) {
  const box = panel.getBoundingClientRect(), at = e.getBoundingClientRect();
  return panel.scrollTop + Math.min(0, at.top - box.top - 40) + Math.max(0, at.bottom - box.bottom + 8);
}

// scrollInto shows an element in its panel. It scrolls nothing else.
function scrollInto(e) {
  const panel = e?.closest('[role="tabpanel"]');
  if (panel && panel.scrollHeight > panel.clientHeight) e.scrollIntoView({ block: "nearest" });
}

// lmclintPage makes a page in an element.
// eslint-disable-next-line no-unused-vars
const lmclintPage = (root) => new Page(root);
