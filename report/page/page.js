// The page of a recording: timeline, findings and conversation. It shows a
// document of internal/pagejson and knows nothing else: it makes no request, and
// what comes from a recording becomes text nodes and pixels, never markup.
//
//   const page = lmclintPage(element);
//   page.show(document);           // again for each new document
//   page.onFinding = (f) => {};    // called when the reader chooses a finding
//
"use strict";

// eslint-disable-next-line no-unused-vars
const lmclintPage = (() => {
  // ---------------------------------------------------------------- elements

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

  const number = (n) => n.toLocaleString("en-US");
  const quantity = (n, noun) => number(n) + " " + noun + (n === 1 ? "" : "s");

  function bytes(n) {
    if (n < 1000) return quantity(n, "byte");
    if (n < 1e6) return (n / 1e3).toFixed(1) + " kB";
    return (n / 1e6).toFixed(1) + " MB";
  }

  const severities = ["error", "warning", "note"];

  // ------------------------------------------------------------------- model

  // View is one conversation with what drawing needs: the bars and marks of each
  // lane in order, and the findings.
  class View {
    constructor(data, fileIndex, index, findings, stateNames) {
      Object.assign(this, data);
      this.file = fileIndex;
      this.index = index;
      this.findings = findings;
      this.stateNames = stateNames;
      this.byLane = data.lanes.map(() => ({ bars: [], marks: [] }));
      const { lane } = data.bars;
      for (let i = 0; i < lane.length; i++) this.byLane[lane[i]].bars.push(i);
      for (let i = 0; i < data.marks.lane.length; i++) this.byLane[data.marks.lane[i]].marks.push(i);
      this.byRecord = new Map();
      for (const f of findings) {
        if (f.record === undefined) continue;
        if (!this.byRecord.has(f.record)) this.byRecord.set(f.record, []);
        this.byRecord.get(f.record).push(f);
      }
      this.excerptOf = new Map(data.excerpts.map((e) => [e.record, e]));
      this.items = this.inOrder();
    }

    // inOrder lists bars and marks as a reader meets them.
    inOrder() {
      const items = [];
      const { first } = this.bars;
      const { record } = this.marks;
      let i = 0, j = 0;
      while (i < first.length || j < record.length) {
        if (j >= record.length || (i < first.length && first[i] <= record[j])) items.push({ bar: i++ });
        else items.push({ mark: j++ });
      }
      return items;
    }

    hasState(bar, name) {
      return (this.bars.state[bar] & (1 << this.stateNames.indexOf(name))) !== 0;
    }

    states(bar) {
      return this.stateNames.filter((_, i) => this.bars.state[bar] & (1 << i));
    }

    kindOf(bar) {
      const [role, type, format] = this.kinds[this.bars.kind[bar]];
      return { role, type, format };
    }

    // title names a bar: "assistant code (python)".
    title(bar) {
      const { role, type, format } = this.kindOf(bar);
      const blocks = this.bars.blocks[bar];
      const name = [role || this.lanes[this.bars.lane[bar]], type].filter(Boolean).join(" ") + (format ? " (" + format + ")" : "");
      return blocks > 1 ? quantity(blocks, "block") + " of " + name : name;
    }

    range(bar) {
      const a = this.bars.first[bar], b = this.bars.last[bar];
      return a === b ? "record " + number(a) : "records " + number(a) + "\u2013" + number(b);
    }

    // barAt returns the shortest bar that has a record, of a lane if one is given.
    barAt(record, lane) {
      let best = -1;
      const lanes = lane === undefined || lane < 0 ? this.byLane : [this.byLane[lane]];
      for (const { bars } of lanes) {
        const i = bars[upper(bars, this.bars.first, record) - 1];
        if (i === undefined || this.bars.last[i] < record) continue;
        if (best < 0 || this.bars.last[i] - this.bars.first[i] < this.bars.last[best] - this.bars.first[best]) best = i;
      }
      return best;
    }

    // findingsIn lists the findings at the records of a bar, in its lane.
    findingsIn(bar) {
      const found = [];
      const a = this.bars.first[bar], b = this.bars.last[bar];
      for (const f of this.findings) {
        if (f.record >= a && f.record <= b && f.lane === this.bars.lane[bar]) found.push(f);
      }
      return found;
    }
  }

  // upper returns how many of the indices have a value of at most limit.
  function upper(indices, values, limit) {
    let low = 0, high = indices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[indices[middle]] <= limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // ---------------------------------------------------------------- timeline

  const laneHeight = 30, pinHeight = 34, axisHeight = 20, labelWidth = 104, overviewHeight = 34;

  // Timeline draws a view on a canvas: lanes with bars and marks, pins above
  // them, and a strip with all of it below.
  class Timeline {
    constructor(owner) {
      this.owner = owner;
      this.canvas = el("canvas", {
        class: "lanes", tabindex: 0, role: "application", "aria-roledescription": "timeline",
        "aria-describedby": "timeline-keys",
      });
      this.strip = el("canvas", { class: "strip", "aria-hidden": "true" });
      this.tip = el("div", { class: "tip", hidden: true });
      this.element = el("div", { class: "canvases" }, this.canvas, this.strip, this.tip);
      this.byTime = false;
      this.cursor = -1; // of view.items
      this.listen();
      new ResizeObserver(() => this.resize()).observe(this.element);
    }

    show(view) {
      this.view = view;
      this.cursor = -1;
      this.hover = null;
      this.byTime = false;
      this.fit(true);
      this.resize();
    }

    get domain() {
      const v = this.view;
      if (!this.byTime) return [0, Math.max(1, v.records)];
      let low = Infinity, high = 0;
      for (const t of v.bars.start) low = Math.min(low, t);
      for (const t of v.bars.end) high = Math.max(high, t);
      for (const t of v.marks.time) { low = Math.min(low, t); high = Math.max(high, t); }
      return [low, Math.max(low + 1, high)];
    }

    fit(quiet) {
      const [low, high] = (this.full = this.domain);
      this.from = low;
      this.to = high;
      if (!quiet) this.draw();
    }

    setByTime(on) {
      this.byTime = on && this.view.timed;
      this.strip.cached = null;
      this.fit();
    }

    // Positions on the scale: where a bar begins and ends, and where a record is.
    begin(i) { return this.byTime ? this.view.bars.start[i] : this.view.bars.first[i]; }
    end(i) { return this.byTime ? Math.max(this.view.bars.end[i], this.view.bars.start[i]) : this.view.bars.last[i] + 1; }
    markAt(i) { return this.byTime ? this.view.marks.time[i] : this.view.marks.record[i] + 0.5; }

    recordAt(record, lane) {
      if (!this.byTime) return record + 0.5;
      const v = this.view;
      const m = v.marks.record.indexOf(record);
      if (m >= 0) return v.marks.time[m];
      const i = v.barAt(record, lane);
      if (i < 0) return this.full[0];
      const n = v.bars.last[i] - v.bars.first[i];
      return v.bars.start[i] + (n ? (record - v.bars.first[i]) / n : 0) * (v.bars.end[i] - v.bars.start[i]);
    }

    x(position) { return labelWidth + ((position - this.from) / (this.to - this.from)) * this.plot; }
    position(x) { return this.from + ((x - labelWidth) / this.plot) * (this.to - this.from); }

    resize() {
      if (!this.view) return;
      const width = Math.max(320, this.element.clientWidth);
      this.width = width;
      this.plot = width - labelWidth - 12;
      this.height = pinHeight + this.view.lanes.length * laneHeight + axisHeight;
      for (const [canvas, height] of [[this.canvas, this.height], [this.strip, overviewHeight]]) {
        const ratio = window.devicePixelRatio || 1;
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        canvas.style.width = width + "px";
        canvas.style.height = height + "px";
        canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
      }
      this.strip.cached = null;
      this.paint();
    }

    // draw paints once before the next frame, however often it is called.
    draw() {
      if (this.due) return;
      this.due = true;
      requestAnimationFrame(() => { this.due = false; this.paint(); });
    }

    colors() {
      const style = getComputedStyle(this.element);
      const get = (name) => style.getPropertyValue("--" + name).trim();
      const c = {};
      for (const name of ["paper", "ink", "faint", "line", "error", "warning", "note", "accent", "good", "band"]) c[name] = get(name);
      c.lanes = ["user", "assistant", "computer", "server", "other"].map((n) => get("lane-" + n));
      c.font = style.fontFamily;
      return c;
    }

    laneColor(c, lane) {
      const i = ["user", "assistant", "computer", "server"].indexOf(this.view.lanes[lane]);
      return i >= 0 ? c.lanes[i] : c.lanes[lane % 5];
    }

    laneTop(lane) { return pinHeight + lane * laneHeight; }

    paint() {
      const v = this.view;
      if (!v || !this.width) return;
      const g = this.canvas.getContext("2d");
      const c = this.colors();
      g.clearRect(0, 0, this.width, this.height);
      g.font = "12px " + c.font;
      g.textBaseline = "middle";
      for (let lane = 0; lane < v.lanes.length; lane++) {
        const y = this.laneTop(lane);
        if (lane % 2 === 0) { g.fillStyle = c.band; g.fillRect(0, y, this.width, laneHeight); }
        g.fillStyle = c.ink;
        g.textAlign = "right";
        g.fillText(clip(g, visible(v.lanes[lane]), labelWidth - 20), labelWidth - 12, y + laneHeight / 2);
      }
      g.save();
      g.beginPath();
      g.rect(labelWidth - 6, 0, this.plot + 16, this.height);
      g.clip();
      this.paintAxis(g, c);
      for (let lane = 0; lane < v.lanes.length; lane++) this.paintBars(g, c, lane);
      this.paintConfirmed(g, c);
      for (let lane = 0; lane < v.lanes.length; lane++) this.paintMarks(g, c, lane);
      this.paintPins(g, c);
      g.restore();
      this.paintStrip(c);
      this.canvas.setAttribute("aria-label", this.describe());
    }

    describe() {
      const v = this.view;
      return "Timeline of " + quantity(v.bars.lane.length, "block") + " and " + quantity(v.marks.lane.length, "event") +
        " in " + quantity(v.records, "record") + ", with " + quantity(v.findings.length, "finding") + ". " + this.scaleText();
    }

    scaleText() {
      if (this.byTime) return "Shown: " + ((this.to - this.from) / 1000).toFixed(1) + " seconds.";
      return "Shown: records " + number(Math.max(0, Math.floor(this.from))) + " to " + number(Math.min(this.view.records, Math.ceil(this.to)) - 1) + ".";
    }

    paintAxis(g, c) {
      const y = this.height - axisHeight;
      g.strokeStyle = c.line;
      g.fillStyle = c.faint;
      g.textAlign = "center";
      g.lineWidth = 1;
      const span = this.to - this.from;
      let step = Math.pow(10, Math.floor(Math.log10(span / (this.plot / 70))));
      for (const factor of [1, 2, 5, 10]) {
        if ((step * factor * this.plot) / span >= 70) { step *= factor; break; }
      }
      if (!this.byTime) step = Math.max(1, step);
      const zero = this.byTime ? this.full[0] : 0;
      for (let p = Math.ceil((this.from - zero) / step) * step; p <= this.to - zero + step * 1e-6; p += step) {
        const x = Math.round(this.x(p + zero + (this.byTime ? 0 : 0.5))) + 0.5;
        g.beginPath();
        g.moveTo(x, pinHeight);
        g.lineTo(x, y + 3);
        g.stroke();
        g.fillText(this.byTime ? duration(p, step) : number(Math.round(p)), x, y + 12);
      }
    }

    // paintBars paints the bars of a lane. Bars narrower than a pixel share one.
    paintBars(g, c, lane) {
      const v = this.view, { bars } = v.byLane[lane];
      const color = this.laneColor(c, lane);
      const top = this.laneTop(lane) + 5, height = laneHeight - 10;
      const values = this.byTime ? v.bars.start : v.bars.first;
      const stop = upper(bars, values, this.to);
      let i = Math.max(0, upper(bars, values, this.from) - 1);
      let lastPixel = -1;
      for (; i < stop; i++) {
        const bar = bars[i];
        const x0 = this.x(this.begin(bar)), x1 = this.x(this.end(bar));
        if (x1 < labelWidth - 6) continue;
        if (x1 - x0 < 2.5) {
          const pixel = Math.floor(x0);
          if (pixel === lastPixel) continue;
          lastPixel = pixel;
          g.fillStyle = color;
          g.globalAlpha = 0.85;
          g.fillRect(pixel, top, Math.max(1.5, x1 - x0 - 0.5), height);
          g.globalAlpha = 1;
          continue;
        }
        this.paintBar(g, c, bar, color, Math.max(x0, labelWidth - 8), Math.min(x1, this.width + 8), top, height);
      }
    }

    paintBar(g, c, bar, color, x0, x1, top, height) {
      const v = this.view, { type, format } = v.kindOf(bar);
      const has = (name) => v.hasState(bar, name);
      const width = Math.max(1.5, x1 - x0 - 1);
      const condensed = v.bars.blocks[bar] > 1;
      g.lineWidth = 1;
      path(g, x0 + 0.5, top + 0.5, width, height - 1, has("stored") ? 1 : 3);
      g.globalAlpha = has("empty") ? 0.08 : condensed ? 0.6 : type === "code" ? 0.42 : type === "console" ? 0.3 : 0.2;
      g.fillStyle = color;
      g.fill();
      g.globalAlpha = 1;
      if (has("unconfirmed")) hatch(g, c.error, x0, top, width, height);
      path(g, x0 + 0.5, top + 0.5, width, height - 1, has("stored") ? 1 : 3);
      g.strokeStyle = has("unconfirmed") ? c.error : color;
      g.setLineDash(has("empty") ? [3, 2] : []);
      g.stroke();
      g.setLineDash([]);
      if (has("cut")) zigzag(g, c.error, x0 + width, top, height);
      if (has("open")) fade(g, c, x0, width, top, height);
      if (has("startless")) dots(g, c.error, x0 + 0.5, top, height);
      if (this.selectedBar === bar || this.hover?.bar === bar) {
        path(g, x0 - 1.5, top - 1.5, width + 4, height + 3, 4);
        g.strokeStyle = this.selectedBar === bar ? c.accent : c.faint;
        g.lineWidth = 2;
        g.stroke();
        g.lineWidth = 1;
      }
      if (width > 34) {
        g.fillStyle = c.ink;
        g.textAlign = "left";
        const label = condensed ? quantity(v.bars.blocks[bar], "block") : type === "code" && format ? format : type || "block";
        const left = Math.max(x0, labelWidth - 6);
        const text = clip(g, visible(label), x1 - left - 12);
        g.fillText(text, left + 6, top + height / 2 + 0.5);
        const rest = x1 - left - 12 - g.measureText(text).width - 12;
        const head = condensed ? "" : headOf(v.bars.content[bar]);
        if (rest > 40 && head) {
          g.fillStyle = c.faint;
          g.fillText(clip(g, visible(head), rest), left + 6 + g.measureText(text).width + 8, top + height / 2 + 0.5);
        }
      }
    }

    // paintConfirmed connects confirmations with their code.
    paintConfirmed(g, c) {
      const v = this.view, { record, code, lane } = v.marks;
      if (record.length > 2000) return;
      g.strokeStyle = c.good;
      for (let i = 0; i < record.length; i++) {
        if (code[i] < 0) continue;
        const bar = v.barAt(code[i]);
        if (bar < 0) continue;
        const x0 = this.x(this.end(bar)), x1 = this.x(this.markAt(i));
        if (Math.max(x0, x1) < labelWidth || Math.min(x0, x1) > this.width) continue;
        const y0 = this.laneTop(v.bars.lane[bar]) + laneHeight / 2, y1 = this.laneTop(lane[i]) + laneHeight / 2;
        g.beginPath();
        g.moveTo(x0 - 1, y0);
        g.bezierCurveTo(x0 + 8, y0, x1, y1 - 12, x1, y1);
        g.stroke();
      }
    }

    paintMarks(g, c, lane) {
      const v = this.view, { marks } = v.byLane[lane];
      const y = this.laneTop(lane) + laneHeight / 2;
      const values = this.byTime ? v.marks.time : v.marks.record;
      let lastX = -10;
      for (let i = Math.max(0, upper(marks, values, this.from) - 1); i < marks.length; i++) {
        const mark = marks[i], x = this.x(this.markAt(mark));
        if (x > this.width + 10) break;
        if (x < labelWidth - 10 || x - lastX < 1.5) continue;
        lastX = x;
        glyph(g, c, v.marks.kind[mark], x, y);
        if (this.hover?.mark === mark || this.selectedMark === mark) {
          g.beginPath();
          g.arc(x, y, 9, 0, 7);
          g.strokeStyle = this.selectedMark === mark ? c.accent : c.faint;
          g.lineWidth = 2;
          g.stroke();
          g.lineWidth = 1;
        }
      }
    }

    // paintPins paints findings above the lanes. Pins that would overlap are one,
    // with their number.
    paintPins(g, c) {
      const v = this.view;
      this.pins = [];
      const row = 14;
      let group = null;
      const flush = () => { if (group) this.pins.push(group); };
      for (const f of v.inPinOrder || (v.inPinOrder = v.findings.slice().sort((a, b) => (a.record ?? -1) - (b.record ?? -1)))) {
        const x = this.x(f.record === undefined ? this.full[0] : this.recordAt(f.record, f.lane));
        if (x < labelWidth - 8 || x > this.width + 8) continue;
        if (group && x - group.x < 12) {
          group.findings.push(f);
          if (severities.indexOf(f.severity) < severities.indexOf(group.severity)) group.severity = f.severity;
          continue;
        }
        flush();
        group = { x, severity: f.severity, findings: [f] };
      }
      flush();
      const few = this.pins.length <= 60;
      for (const p of this.pins) {
        const chosen = p.findings.includes(this.owner.finding);
        const hovered = this.hover?.pin && this.hover.pin.findings[0] === p.findings[0];
        const f = chosen ? this.owner.finding : p.findings[0];
        const color = c[p.severity];
        if (f.record !== undefined && (few || chosen || hovered)) {
          const y = this.laneTop(f.lane) + 5;
          g.strokeStyle = color;
          g.globalAlpha = chosen || hovered ? 1 : 0.4;
          g.lineWidth = chosen ? 1.5 : 1;
          g.beginPath();
          g.moveTo(p.x, row + 7);
          g.lineTo(p.x, y);
          g.stroke();
          g.beginPath();
          g.arc(p.x, y, 2.5, 0, 7);
          g.fillStyle = color;
          g.fill();
          this.paintRelated(g, f, p.x, y, chosen || hovered);
          g.globalAlpha = 1;
          g.lineWidth = 1;
        }
        pin(g, c, p.severity, p.x, row, p.findings.length, chosen || hovered);
      }
    }

    // paintRelated draws a line from a finding to each of its related places. It
    // leaves the stem of the pin above the lane of the place, to cover no text.
    paintRelated(g, f, x, y, strong) {
      (f.places || []).forEach((place, i) => {
        const record = f.related[i].record;
        if (place.lane < 0 || record === undefined || record === f.record) return;
        const x1 = this.x(this.recordAt(record, place.lane)), y1 = this.laneTop(place.lane) + 5;
        g.setLineDash(strong ? [] : [3, 3]);
        g.beginPath();
        const from = Math.min(y, y1);
        g.moveTo(x, from);
        const lift = Math.min(16, 4 + Math.abs(x1 - x) / 12);
        g.bezierCurveTo(x, from - lift, x1, y1 - lift, x1, y1);
        g.stroke();
        g.setLineDash([]);
        g.beginPath();
        g.arc(x1, y1, 3, 0, 7);
        g.stroke();
      });
    }

    // paintStrip paints the whole recording small, with the part that is shown.
    paintStrip(c) {
      const v = this.view, canvas = this.strip;
      const g = canvas.getContext("2d");
      g.clearRect(0, 0, this.width, overviewHeight);
      const [low, high] = this.full;
      const at = (p) => labelWidth + ((p - low) / (high - low)) * this.plot;
      this.stripAt = (x) => low + ((x - labelWidth) / this.plot) * (high - low);
      if (!canvas.cached) {
        canvas.cached = document.createElement("canvas");
        canvas.cached.width = canvas.width;
        canvas.cached.height = canvas.height;
        const o = canvas.cached.getContext("2d");
        const ratio = window.devicePixelRatio || 1;
        o.setTransform(ratio, 0, 0, ratio, 0, 0);
        o.fillStyle = c.band;
        o.fillRect(labelWidth, 2, this.plot, overviewHeight - 4);
        const h = (overviewHeight - 12) / v.lanes.length;
        for (let lane = 0; lane < v.lanes.length; lane++) {
          o.fillStyle = this.laneColor(c, lane);
          let last = -1;
          for (const bar of v.byLane[lane].bars) {
            const x0 = at(this.begin(bar)), x1 = at(this.end(bar));
            if (Math.floor(x1) === last) continue;
            last = Math.floor(x1);
            o.fillRect(x0, 9 + lane * h, Math.max(1, x1 - x0 - 0.3), Math.max(1, h - 1));
          }
        }
        for (const severity of severities.slice().reverse()) {
          o.fillStyle = c[severity];
          let last = -10;
          for (const f of v.inPinOrder || v.findings) {
            if (f.severity !== severity || f.record === undefined) continue;
            const x = at(this.recordAt(f.record, f.lane));
            if (x - last < 1) continue;
            last = x;
            o.fillRect(x - 0.75, 3, 1.5, 6);
          }
        }
      }
      g.save();
      g.setTransform(1, 0, 0, 1, 0, 0);
      g.drawImage(canvas.cached, 0, 0);
      g.restore();
      const x0 = at(this.from), x1 = Math.max(at(this.to), at(this.from) + 3);
      g.fillStyle = c.paper;
      g.globalAlpha = 0.65;
      g.fillRect(labelWidth, 2, x0 - labelWidth, overviewHeight - 4);
      g.fillRect(x1, 2, labelWidth + this.plot - x1, overviewHeight - 4);
      g.globalAlpha = 1;
      g.strokeStyle = c.accent;
      g.lineWidth = 1.5;
      g.strokeRect(x0 + 0.5, 2.5, Math.max(2, x1 - x0 - 1), overviewHeight - 5);
      g.lineWidth = 1;
      g.fillStyle = c.faint;
      g.font = "11px " + c.font;
      g.textAlign = "right";
      g.textBaseline = "middle";
      g.fillText("overview", labelWidth - 12, overviewHeight / 2);
    }

    // ------------------------------------------------------------ navigation

    // set shows a part of the scale, which stays inside of it.
    set(from, to) {
      const [low, high] = this.full;
      const least = this.byTime ? 1 : 2;
      const span = Math.min(high - low, Math.max(least, to - from));
      from = Math.max(low, Math.min(from, high - span));
      this.from = from;
      this.to = from + span;
      this.draw();
    }

    zoom(factor, around) {
      const center = around ?? (this.from + this.to) / 2;
      this.set(center - (center - this.from) * factor, center + (this.to - center) * factor);
    }

    pan(part) {
      const by = (this.to - this.from) * part;
      this.set(this.from + by, this.to + by);
    }

    // reveal scrolls to a record, and zooms in if it could not be told from others.
    reveal(record, lane, closer) {
      const p = this.recordAt(record, lane);
      let span = this.to - this.from;
      const close = this.byTime ? span : Math.max(2, Math.min(this.full[1], 60));
      if (closer && !this.byTime && span > 20 * close) span = close;
      if (p < this.from + span * 0.05 || p > this.from + span * 0.95 || span !== this.to - this.from) this.set(p - span / 2, p + span / 2);
      this.draw();
    }

    listen() {
      const canvas = this.canvas;
      let drag = null;
      canvas.addEventListener("pointerdown", (e) => {
        if (e.button !== 0) return;
        drag = { x: e.offsetX, from: this.from, to: this.to, moved: false };
        canvas.setPointerCapture(e.pointerId);
      });
      canvas.addEventListener("pointermove", (e) => {
        if (!this.view) return;
        if (drag) {
          const by = ((drag.x - e.offsetX) / this.plot) * (drag.to - drag.from);
          drag.moved = drag.moved || Math.abs(drag.x - e.offsetX) > 3;
          if (drag.moved) { this.set(drag.from + by, drag.to + by); this.showTip(null); }
          return;
        }
        this.hover = this.hit(e.offsetX, e.offsetY);
        canvas.classList.toggle("over", this.hover !== null);
        this.showTip(this.hover, e.offsetX, e.offsetY);
        this.draw();
      });
      canvas.addEventListener("pointerup", (e) => {
        const click = drag && !drag.moved;
        drag = null;
        if (click) this.choose(this.hit(e.offsetX, e.offsetY));
      });
      canvas.addEventListener("pointercancel", () => { drag = null; });
      canvas.addEventListener("pointerleave", () => { this.hover = null; this.showTip(null); this.draw(); });
      canvas.addEventListener("dblclick", (e) => this.zoom(0.4, this.position(e.offsetX)));
      canvas.addEventListener("wheel", (e) => {
        if (!e.ctrlKey && !e.metaKey && !e.shiftKey && Math.abs(e.deltaX) < Math.abs(e.deltaY) && !this.focused) return;
        e.preventDefault();
        if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) this.pan((e.deltaX || e.deltaY) / 1000);
        else this.zoom(Math.exp(e.deltaY / 400), this.position(e.offsetX));
      }, { passive: false });
      canvas.addEventListener("focus", () => { this.focused = true; });
      canvas.addEventListener("blur", () => { this.focused = false; });
      canvas.addEventListener("keydown", (e) => this.key(e));
      let held = null;
      const strip = this.strip;
      const move = (e) => {
        const p = this.stripAt(e.offsetX), span = this.to - this.from;
        this.set(p - held * span, p + (1 - held) * span);
      };
      strip.addEventListener("pointerdown", (e) => {
        const p = this.stripAt(e.offsetX);
        held = p >= this.from && p <= this.to ? (p - this.from) / (this.to - this.from) : 0.5;
        strip.setPointerCapture(e.pointerId);
        move(e);
      });
      strip.addEventListener("pointermove", (e) => { if (held !== null) move(e); });
      strip.addEventListener("pointerup", () => { held = null; });
      strip.addEventListener("pointercancel", () => { held = null; });
    }

    key(e) {
      if (e.ctrlKey || e.metaKey || e.altKey || !this.view) return;
      const keys = {
        "+": () => this.zoom(0.6), "=": () => this.zoom(0.6), "-": () => this.zoom(1 / 0.6), "0": () => this.fit(), f: () => this.fit(),
        ArrowLeft: () => (e.shiftKey ? this.pan(-0.2) : this.step(-1)),
        ArrowRight: () => (e.shiftKey ? this.pan(0.2) : this.step(1)),
        ArrowUp: () => this.zoom(0.6), ArrowDown: () => this.zoom(1 / 0.6),
        PageUp: () => this.pan(-0.9), PageDown: () => this.pan(0.9),
        Home: () => this.stepTo(0), End: () => this.stepTo(this.view.items.length - 1),
        n: () => this.owner.stepFinding(1), p: () => this.owner.stepFinding(-1),
      };
      const action = keys[e.key];
      if (!action) return;
      e.preventDefault();
      action();
    }

    // step chooses the next or previous bar or mark.
    step(by) {
      let from = this.cursor;
      if (from < 0) from = by > 0 ? -1 : this.view.items.length;
      this.stepTo(Math.max(0, Math.min(this.view.items.length - 1, from + by)));
    }

    stepTo(i) {
      const item = this.view.items[i];
      if (!item) return;
      this.cursor = i;
      if (item.bar !== undefined) {
        this.choose(item);
        this.reveal(this.view.bars.first[item.bar], this.view.bars.lane[item.bar]);
      } else {
        this.choose(item);
        this.reveal(this.view.marks.record[item.mark], this.view.marks.lane[item.mark]);
      }
    }

    select(bar, mark) {
      this.selectedBar = bar;
      this.selectedMark = mark;
      this.draw();
    }

    choose(item) {
      if (!item) return;
      if (item.pin) {
        const i = item.pin.findings.indexOf(this.owner.finding);
        this.owner.chooseFinding(item.pin.findings[(i + 1) % item.pin.findings.length], "timeline");
      } else if (item.bar !== undefined) this.owner.chooseBar(item.bar);
      else this.owner.chooseMark(item.mark);
    }

    // hit returns what is at a point: a pin, a mark or a bar; or null.
    hit(x, y) {
      const v = this.view;
      if (x < labelWidth - 6) return null;
      if (y < pinHeight) {
        let best = null;
        for (const p of this.pins || []) if (Math.abs(p.x - x) < 9 && (!best || Math.abs(p.x - x) < Math.abs(best.x - x))) best = p;
        return best && { pin: best };
      }
      const lane = Math.floor((y - pinHeight) / laneHeight);
      if (lane >= v.lanes.length) return null;
      for (const mark of v.byLane[lane].marks) {
        const at = this.x(this.markAt(mark));
        if (Math.abs(at - x) < 7) return { mark };
        if (at > x + 7) break;
      }
      const { bars } = v.byLane[lane];
      const values = this.byTime ? v.bars.start : v.bars.first;
      const i = upper(bars, values, this.position(x + 1)) - 1;
      const bar = bars[i];
      return bar !== undefined && this.x(this.end(bar)) >= x - 2 ? { bar } : null;
    }

    showTip(item, x, y) {
      const tip = this.tip;
      tip.hidden = !item;
      if (!item) return;
      tip.replaceChildren();
      const v = this.view;
      if (item.pin) {
        for (const f of item.pin.findings.slice(0, 4)) add(tip, [el("p", { class: f.severity }, el("b", {}, f.rule), " ", f.message)]);
        if (item.pin.findings.length > 4) add(tip, [el("p", {}, number(item.pin.findings.length - 4) + " more")]);
      } else if (item.mark !== undefined) {
        add(tip, [el("p", {}, el("b", {}, v.marks.kind[item.mark]), " ", v.marks.label[item.mark]), el("p", {}, "record " + number(v.marks.record[item.mark]))]);
      } else {
        const states = v.states(item.bar).filter((s) => s !== "stored");
        add(tip, [
          el("p", {}, el("b", {}, v.title(item.bar)), states.length ? " \u00b7 " + states.join(", ") : ""),
          el("p", {}, v.range(item.bar)),
          el("p", { class: "words" }, headOf(v.bars.content[item.bar]).slice(0, 160)),
        ]);
      }
      tip.style.left = Math.min(x + 14, this.width - 330) + "px";
      tip.style.top = y + 18 + "px";
    }
  }

  // ---------------------------------------------------------------- drawing

  function path(g, x, y, w, h, r) {
    g.beginPath();
    g.roundRect(x, y, w, h, Math.min(r, w / 2));
  }

  function hatch(g, color, x, y, w, h) {
    g.save();
    g.beginPath();
    g.rect(x, y, w, h);
    g.clip();
    g.strokeStyle = color;
    g.globalAlpha = 0.28;
    g.beginPath();
    for (let i = x - h; i < x + w; i += 5) { g.moveTo(i, y + h); g.lineTo(i + h, y); }
    g.stroke();
    g.restore();
  }

  function zigzag(g, color, x, y, h) {
    g.strokeStyle = color;
    g.lineWidth = 1.75;
    g.beginPath();
    g.moveTo(x - 2, y - 1);
    for (let i = 1; i <= 4; i++) g.lineTo(x + (i % 2 ? 2 : -2), y - 1 + ((h + 2) * i) / 4);
    g.stroke();
    g.lineWidth = 1;
  }

  function fade(g, c, x, w, y, h) {
    const from = Math.max(x, x + w - 22);
    const gradient = g.createLinearGradient(from, 0, x + w, 0);
    gradient.addColorStop(0, transparent(c.paper));
    gradient.addColorStop(1, c.paper);
    g.fillStyle = gradient;
    g.fillRect(from, y - 1, x + w - from + 1.5, h + 2);
    g.strokeStyle = c.error;
    g.setLineDash([2, 2]);
    g.beginPath();
    g.moveTo(x + w - 0.5, y - 1);
    g.lineTo(x + w - 0.5, y + h + 1);
    g.stroke();
    g.setLineDash([]);
  }

  // transparent returns a color "#rrggbb" that cannot be seen.
  const transparent = (color) => (/^#[0-9a-f]{6}$/i.test(color) ? color + "00" : "transparent");

  function dots(g, color, x, y, h) {
    g.strokeStyle = color;
    g.lineWidth = 2;
    g.setLineDash([2, 2]);
    g.beginPath();
    g.moveTo(x, y - 1);
    g.lineTo(x, y + h + 1);
    g.stroke();
    g.setLineDash([]);
    g.lineWidth = 1;
  }

  // glyph paints a mark. Each kind has a shape of its own, not only a color.
  function glyph(g, c, kind, x, y) {
    g.fillStyle = kind === "error" ? c.error : kind === "confirmation" || kind === "command" ? c.good : c.faint;
    g.strokeStyle = c.paper;
    g.lineWidth = 1.5;
    g.beginPath();
    switch (kind) {
      case "confirmation":
        g.moveTo(x, y - 6); g.lineTo(x + 6, y); g.lineTo(x, y + 6); g.lineTo(x - 6, y); g.closePath();
        break;
      case "command":
        g.moveTo(x - 4, y - 6); g.lineTo(x + 6, y); g.lineTo(x - 4, y + 6); g.closePath();
        break;
      case "error":
        g.moveTo(x, y - 6); g.lineTo(x + 6.5, y + 5); g.lineTo(x - 6.5, y + 5); g.closePath();
        break;
      case "status":
        g.arc(x, y, 4.5, 0, 7);
        break;
      default:
        g.rect(x - 4, y - 4, 8, 8);
    }
    g.stroke();
    g.fill();
    g.lineWidth = 1;
  }

  function pin(g, c, severity, x, y, count, strong) {
    const r = strong ? 8.5 : 7;
    g.fillStyle = c[severity];
    g.strokeStyle = c.paper;
    g.lineWidth = 2;
    g.beginPath();
    if (severity === "warning") { g.moveTo(x, y - r - 1); g.lineTo(x + r + 1, y + r - 1); g.lineTo(x - r - 1, y + r - 1); g.closePath(); }
    else if (severity === "note") g.roundRect(x - r + 1, y - r + 1, 2 * r - 2, 2 * r - 2, 3);
    else g.arc(x, y, r, 0, 7);
    g.stroke();
    g.fill();
    g.lineWidth = 1;
    g.fillStyle = c.paper;
    g.textAlign = "center";
    const font = g.font;
    g.font = g.font.replace(/^\d+px/, "bold 10px");
    g.fillText(count > 99 ? "\u2026" : count > 1 ? String(count) : severity === "note" ? "i" : "!", x, y + (severity === "warning" ? 2 : 0.5));
    g.font = font;
  }

  // clip shortens a text to a width.
  function clip(g, text, width) {
    if (text.length > 300) text = text.slice(0, 300);
    if (g.measureText(text).width <= width) return text;
    let low = 0, high = text.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (g.measureText(text.slice(0, middle) + "\u2026").width <= width) low = middle;
      else high = middle - 1;
    }
    return low > 0 ? text.slice(0, low) + "\u2026" : "";
  }

  function headOf(content) {
    const text = typeof content === "string" ? content : content ? content.head || "" : "";
    return text.slice(0, 300).replace(/\s+/g, " ");
  }

  function duration(ms, step) {
    const digits = step < 10 ? 3 : step < 100 ? 2 : step < 1000 ? 1 : 0;
    if (ms < 60000) return (ms / 1000).toFixed(digits) + " s";
    const minutes = Math.floor(ms / 60000), seconds = (ms % 60000) / 1000;
    if (minutes < 60) return minutes + ":" + seconds.toFixed(digits).padStart(digits ? 3 + digits : 2, "0");
    return Math.floor(minutes / 60) + "h" + String(minutes % 60).padStart(2, "0");
  }

  // -------------------------------------------------------------------- page

  // commonFolder returns the folder that all paths are in, with a slash at its end.
  function commonFolder(paths) {
    if (paths.length < 2) return "";
    let folder = paths[0].slice(0, paths[0].lastIndexOf("/") + 1);
    for (const path of paths) {
      while (!path.startsWith(folder)) folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
    }
    return folder;
  }

  const step = 200; // findings or messages that are added to the page at a time

  class Page {
    constructor(root) {
      this.root = root;
      this.timeline = new Timeline(this);
      this.live = el("p", { class: "hidden", role: "status" });
      this.filter = { text: "", rule: "", severities: new Set(severities), here: false };
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
      this.notices = el("div", { class: "notices" });
      this.files = el("nav", { class: "files", "aria-label": "Files" });
      this.heading = el("h2", { class: "file" });
      this.facts = el("p", { class: "facts" });
      this.conversations = el("select", { "aria-label": "Conversation", onchange: () => this.showView(Number(this.conversations.value)) });
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
      this.findingsTab = this.tab("findings", "Findings");
      this.conversationTab = this.tab("conversation", "Conversation");
      this.findingsPanel = el("div", { id: "panel-findings", role: "tabpanel", "aria-labelledby": "tab-findings" });
      this.conversationPanel = el("div", { id: "panel-conversation", role: "tabpanel", "aria-labelledby": "tab-conversation", hidden: true, tabindex: 0 });
      this.buildFilter();
      this.detail = el("section", { class: "detail", "aria-labelledby": "detail-title", tabindex: 0 });
      this.lanesSection = el("section", { class: "timeline", "aria-labelledby": "timeline-title" },
        el("div", { class: "bar" }, el("div", {}, this.heading, this.facts), this.tools),
        el("h3", { class: "hidden", id: "timeline-title" }, "Timeline"),
        this.timeline.element, el("div", { class: "under" }, this.legend, this.keys), this.blocks);
      this.root.replaceChildren(
        el("header", { class: "top" }, this.title, this.counts, this.theme),
        this.notices,
        el("div", { class: "body" },
          this.files,
          el("main", {},
            this.lanesSection,
            el("div", { class: "split" },
              el("section", { class: "list", "aria-label": "Findings and conversation" },
                el("div", { role: "tablist", "aria-label": "Views" }, this.findingsTab, this.conversationTab),
                this.findingsPanel, this.conversationPanel),
              this.detail))),
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
      this.data = data;
      this.finding = null;
      data.findings.forEach((f, i) => { f.index = i; });
      this.views = new Map();
      this.folder = commonFolder(data.files.map((f) => f.path));
      const s = data.summary;
      this.counts.replaceChildren(
        count("error", s.errors), count("warning", s.warnings), count("note", s.notes),
        el("span", {}, "in " + quantity(s.files, "file") + ", " + quantity(s.records, "record")));
      document.title = (s.errors + s.warnings + s.notes ? [["error", s.errors], ["warning", s.warnings], ["note", s.notes]]
        .filter(([, n]) => n).map(([noun, n]) => quantity(n, noun)).join(", ") : "No findings") + " \u2013 lmclint";
      this.showNotices(s, data.left);
      this.showFiles();
      const worst = data.findings.find((f) => f.severity === "error") || data.findings[0];
      const again = data.files.findIndex((f) => f.path === before);
      const same = chosen && data.findings.find((f) => f.path === chosen.path && f.rule === chosen.rule && f.record === chosen.record && f.pointer === chosen.pointer);
      this.finding = same && same.file === again ? same : again < 0 ? worst : data.findings.find((f) => f.file === again && f.severity === "error") || data.findings.find((f) => f.file === again);
      this.showFile(again >= 0 ? again : worst ? worst.file : 0, Math.max(0, this.finding ? this.finding.view : 0));
      this.fillRules();
      this.applyFilter();
      if (this.finding) {
        this.timeline.select(this.view && this.finding.record !== undefined ? this.view.barAt(this.finding.record, this.finding.lane) : undefined);
        const i = this.shown.indexOf(this.finding);
        while (i >= 0 && this.grown <= i) this.growFindings();
        const row = this.list.querySelector("[aria-current]");
        if (row) this.findingsPanel.scrollTop = Math.max(0, row.offsetTop - this.findingsPanel.offsetTop - 60);
      }
      this.showDetail();
    }

    showNotices(s, left) {
      const lines = [];
      if (s.incomplete) lines.push("This run is incomplete: findings may be missing.");
      if (s.known) lines.push(quantity(s.known, "finding") + " suppressed by the baseline.");
      if (s.hidden) lines.push(quantity(s.hidden, "finding") + " beyond the limit of the run.");
      if (s.skipped) lines.push(quantity(s.skipped, "file") + " skipped: unknown protocol.");
      if (left.findings) lines.push(quantity(left.findings, "more finding") + " not in this page; --format json has all.");
      if (left.files) lines.push(quantity(left.files, "more file") + " without findings not in this page.");
      if (left.views) lines.push(quantity(left.views, "file") + " without a timeline, because the page would be too large.");
      for (const f of this.data.files) if (f.failure && lines.length < 20) lines.push(f.path + ": " + f.failure);
      this.notices.replaceChildren(...lines.map((line) => el("p", {}, line)));
      this.notices.hidden = !lines.length;
    }

    // ------------------------------------------------------------------ files

    showFiles() {
      const { files } = this.data;
      this.files.hidden = files.length < 2;
      this.root.classList.toggle("several", files.length > 1);
      if (files.length < 2) return;
      const list = el("ul", {});
      const shown = files.map((f, i) => [f, i]).sort(([a], [b]) => b.errors - a.errors || b.warnings - a.warnings || b.notes - a.notes);
      let from = 0;
      const more = el("button", { type: "button", class: "quiet" });
      const grow = () => {
        for (const [f, i] of shown.slice(from, from + step)) {
          list.append(el("li", {}, el("button", { type: "button", "data-file": i, title: f.path, onclick: () => this.showFile(i) },
            el("span", { class: "name" }, this.short(f.path)), tally(f))));
        }
        from += step;
        more.hidden = from >= shown.length;
        more.textContent = "Show more files (" + number(Math.max(0, shown.length - from)) + ")";
        this.markFile();
      };
      more.addEventListener("click", grow);
      this.files.replaceChildren(el("h2", {}, quantity(files.length, "file") + (this.folder ? " in " : ""), this.folder ? el("code", {}, this.folder) : ""), list, more);
      grow();
    }

    // short returns a path without the folder that all files are in.
    short(path) { return path.startsWith(this.folder) ? path.slice(this.folder.length) : path; }

    markFile() {
      for (const b of this.files.querySelectorAll("button[data-file]")) {
        if (Number(b.dataset.file) === this.file) b.setAttribute("aria-current", "true");
        else b.removeAttribute("aria-current");
      }
    }

    showFile(i, view) {
      this.file = i;
      const f = this.data.files[i];
      this.markFile();
      this.lanesSection.hidden = !f;
      if (!f) { this.view = null; return; }
      this.heading.replaceChildren(visible(f.path));
      const views = f.views || [];
      this.facts.replaceChildren(visible([f.protocol === "workbench" ? "Semantic Workbench" : (f.protocol || "").toUpperCase(), f.kind, f.form, f.dialect && "dialect " + f.dialect,
        quantity(f.records, "record"), views.length > 1 && quantity(views.length, "conversation"),
        f.leftOut && quantity(f.leftOut, "more conversation") + " not shown", f.condensed && "neighboring blocks joined",
      ].filter(Boolean).join(" \u00b7 ")));
      this.conversations.hidden = views.length < 2;
      this.conversations.replaceChildren(...views.map((v, n) => el("option", { value: n }, "Conversation " + number(v.number < 0 ? n : v.number) +
        " (" + quantity(v.records, "record") + ")")));
      this.showView(view ?? 0);
      if (this.filter.here) this.applyFilter();
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

    showView(index) {
      this.view = this.viewOf(this.file, index);
      this.lanesSection.classList.toggle("none", !this.view);
      this.timeline.element.hidden = this.tools.hidden = !this.view;
      this.conversations.value = String(index);
      this.blocks.open = false;
      this.blocks.hidden = this.keys.hidden = this.legend.hidden = !this.view;
      if (!this.view) return;
      this.timed.hidden = !this.view.timed;
      this.timed.setAttribute("aria-pressed", "false");
      this.timeline.select();
      this.timeline.show(this.view);
      this.showLegend();
      if (this.openTab === "conversation") this.showConversation();
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
            el("td", {}, isBar ? v.title(item.bar) : v.marks.kind[item.mark] + " " + v.marks.label[item.mark]),
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

    // --------------------------------------------------------------- findings

    buildFilter() {
      this.text = el("input", {
        type: "search", placeholder: "Filter by text", "aria-label": "Filter findings by text",
        oninput: () => { this.filter.text = this.text.value.toLowerCase(); this.applyFilter(); },
      });
      this.rule = el("select", { "aria-label": "Filter findings by rule", onchange: () => { this.filter.rule = this.rule.value; this.applyFilter(); } });
      this.here = el("select", {
        "aria-label": "Filter findings by file",
        onchange: () => { this.filter.here = this.here.value === "this"; this.applyFilter(); },
      }, el("option", { value: "all" }, "All files"), el("option", { value: "this" }, "This file"));
      this.toggles = severities.map((severity) => el("button", {
        type: "button", class: "toggle " + severity, "aria-pressed": "true",
        onclick: (e) => {
          const set = this.filter.severities, on = !set.has(severity);
          if (on) set.add(severity);
          else set.delete(severity);
          e.currentTarget.setAttribute("aria-pressed", String(on));
          this.applyFilter();
        },
      }, severity));
      this.list = el("ol", { class: "findings" });
      this.more = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.growFindings() });
      this.none = el("p", { class: "none", hidden: true });
      this.findingsPanel.append(
        el("div", { class: "filter", role: "search" }, this.text, this.rule, this.here, el("div", { class: "toggles", role: "group", "aria-label": "Severity" }, this.toggles)),
        this.none, this.list, this.more);
      this.list.addEventListener("keydown", (e) => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
        if (!by) return;
        e.preventDefault();
        this.stepFinding(by);
        this.list.querySelector("[aria-current]")?.focus();
      });
    }

    fillRules() {
      const counts = new Map();
      for (const f of this.data.findings) counts.set(f.rule, (counts.get(f.rule) || 0) + 1);
      const ids = [...counts.keys()].sort();
      this.rule.replaceChildren(el("option", { value: "" }, "All rules"),
        ...ids.map((id) => el("option", { value: id }, id + " " + this.data.rules[id].name + " (" + number(counts.get(id)) + ")")));
      if (!counts.has(this.filter.rule)) this.filter.rule = "";
      this.rule.value = this.filter.rule;
      this.here.hidden = this.data.files.length < 2;
      this.findingsTab.textContent = "Findings (" + number(this.data.findings.length) + ")";
    }

    applyFilter() {
      const { text, rule, here } = this.filter;
      this.shown = this.data.findings.filter((f) => this.filter.severities.has(f.severity) && (!rule || f.rule === rule) && (!here || f.file === this.file) &&
        (!text || [f.rule, f.name, f.message, f.help, f.path, f.excerpt?.text].some((s) => s && s.toLowerCase().includes(text))));
      this.list.replaceChildren();
      this.grown = 0;
      this.none.hidden = this.shown.length > 0;
      this.none.textContent = this.data.findings.length ? "No finding matches the filter." : "No findings: this recording keeps the protocol.";
      this.growFindings();
      this.live.textContent = quantity(this.shown.length, "finding") + " shown";
    }

    growFindings() {
      const several = this.data.files.length > 1;
      for (const f of this.shown.slice(this.grown, this.grown + step)) this.list.append(this.row(f, several));
      this.grown = Math.min(this.shown.length, this.grown + step);
      this.more.hidden = this.grown >= this.shown.length;
      this.more.textContent = "Show more (" + number(this.shown.length - this.grown) + ")";
    }

    row(f, several) {
      return el("li", {}, el("button", {
        type: "button", "data-finding": f.index, "aria-current": f === this.finding ? "true" : undefined, onclick: () => this.chooseFinding(f, "list"),
      },
      el("span", { class: "badge " + f.severity }, f.severity),
      el("span", { class: "what" },
        el("span", { class: "message" }, f.message),
        el("span", { class: "where" }, f.rule + " \u00b7 " + (several ? this.short(f.path) + ":" : "line ") + f.line + ":" + f.column +
          (f.record === undefined ? "" : " \u00b7 record " + number(f.record))))));
    }

    stepFinding(by) {
      if (!this.shown.length) return;
      const i = this.shown.indexOf(this.finding);
      const next = i < 0 ? (by > 0 ? 0 : this.shown.length - 1) : Math.max(0, Math.min(this.shown.length - 1, i + by));
      this.chooseFinding(this.shown[next], "keys");
    }

    // chooseFinding shows a finding everywhere: in the timeline, in the list or the
    // conversation, and with its record and its rule.
    chooseFinding(f, by) {
      this.finding = f;
      if (f.file !== this.file || (f.view >= 0 && this.view?.index !== f.view)) this.showFile(f.file, Math.max(0, f.view));
      if (this.view && f.record !== undefined && f.view >= 0) {
        const bar = this.view.barAt(f.record, f.lane);
        this.timeline.select(bar);
        this.timeline.reveal(f.record, f.lane, true);
        this.timeline.cursor = this.view.items.findIndex((item) => item.bar === bar);
      }
      this.timeline.draw();
      while (this.grown < this.shown.length && this.shown.indexOf(f) >= this.grown) this.growFindings();
      for (const b of this.list.querySelectorAll("[aria-current]")) b.removeAttribute("aria-current");
      const row = this.list.querySelector('[data-finding="' + f.index + '"]');
      row?.setAttribute("aria-current", "true");
      if (by !== "list" && this.openTab !== "conversation") scrollInto(row);
      if (this.openTab === "conversation") this.showMessageOf(f);
      this.showDetail();
      this.onFinding?.(f);
      if (by !== "list") this.live.textContent = f.severity + " " + f.rule + ": " + visible(f.message);
    }

    chooseBar(bar) {
      this.finding = null;
      this.clearCurrent();
      this.timeline.select(bar);
      this.timeline.cursor = this.view.items.findIndex((item) => item.bar === bar);
      this.showDetail(bar);
      if (this.openTab === "conversation") this.showMessage(this.timeline.cursor);
      this.live.textContent = visible(this.view.title(bar)) + ", " + this.view.range(bar) + ", " + this.view.states(bar).join(", ");
    }

    chooseMark(mark) {
      this.finding = null;
      this.clearCurrent();
      this.timeline.select(undefined, mark);
      this.timeline.cursor = this.view.items.findIndex((item) => item.mark === mark);
      this.showDetail(undefined, mark);
      if (this.openTab === "conversation") this.showMessage(this.timeline.cursor);
      this.live.textContent = this.view.marks.kind[mark] + " " + visible(this.view.marks.label[mark]) + ", record " + number(this.view.marks.record[mark]);
    }

    clearCurrent() {
      for (const b of this.list.querySelectorAll("[aria-current]")) b.removeAttribute("aria-current");
    }

    // ----------------------------------------------------------------- detail

    showDetail(bar, mark) {
      const parts = this.finding ? this.detailOfFinding(this.finding)
        : bar !== undefined && bar >= 0 ? this.detailOfBar(bar)
          : mark !== undefined ? this.detailOfMark(mark)
            : [el("h3", { id: "detail-title" }, "Details"), el("p", { class: "none" }, "Choose a finding, or a block in the timeline.")];
      this.detail.replaceChildren(...parts.flat());
      this.detail.scrollTop = 0;
    }

    detailOfFinding(f) {
      const rule = this.data.rules[f.rule];
      const v = f.view >= 0 ? this.viewOf(f.file, f.view) : null;
      const bar = v && f.record !== undefined ? v.barAt(f.record, f.lane) : -1;
      return [
        el("p", { class: "kicker " + f.severity }, el("b", {}, f.severity), " " + f.rule + " " + f.name),
        el("h3", { id: "detail-title" }, f.message),
        f.help && el("p", { class: "help" }, el("b", {}, "Help: "), f.help),
        el("p", { class: "where" }, f.path + ":" + f.line + ":" + f.column, f.pointer ? " \u00b7 " + f.pointer : "",
          bar >= 0 ? el("span", {}, " \u00b7 ", el("button", { type: "button", class: "link", onclick: () => this.chooseBar(bar) }, v.title(bar) + ", " + v.range(bar))) : ""),
        this.source(f, v),
        el("section", { class: "rule", "aria-label": "About the rule" },
          el("h4", {}, "Why it matters"),
          el("p", {}, rule.rationale),
          rule.evidence?.length ? el("details", {}, el("summary", {}, "Evidence"), el("ul", {}, rule.evidence.map((e) => el("li", {}, e)))) : null,
          rule.bad ? el("details", {}, el("summary", {}, "Example with the mistake"), code(rule.bad)) : null,
          rule.good ? el("details", {}, el("summary", {}, "Example without it"), code(rule.good)) : null,
          el("p", { class: "faint" }, "lmclint explain " + f.rule)),
      ].filter(Boolean);
    }

    // source shows the bytes of the record, those next to it and the related ones,
    // with the places marked.
    source(f, v) {
      const rows = new Map();
      const put = (record, line, cells) => rows.set(record, { record, line, cells });
      const mine = v && f.record !== undefined && f.mark ? v.excerptOf.get(f.record) : null;
      const label = (kind, text) => el("span", { class: "label " + kind }, text);
      if (mine) put(f.record, mine.line, [marked(mine, f.mark, f.severity), label(f.severity, f.message)]);
      else if (f.excerpt) put(f.record ?? -1, f.line, [fromExcerpt(f.excerpt, f.severity), label(f.severity, f.message)]);
      f.related.forEach((r, i) => {
        const place = f.places[i];
        const record = r.record ?? -2 - i;
        const same = rows.get(record);
        const other = place.mark && v ? v.excerptOf.get(r.record) : null;
        const line = (r.path ? r.path + ":" : "") + r.line;
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
        el("p", { class: "kicker" }, v.bars.blocks[bar] > 1 ? "Joined blocks" : v.hasState(bar, "stored") ? "Message" : "Block"),
        el("h3", { id: "detail-title" }, v.title(bar)),
        el("p", { class: "where" }, v.range(bar), v.timed ? " \u00b7 " + new Date(v.bars.start[bar]).toISOString() + ", " + duration(v.bars.end[bar] - v.bars.start[bar], 1) : ""),
        ...states.map((s) => el("p", { class: "state " + s }, el("b", {}, s), " \u2013 " + about[s])),
        this.findingLinks(v.findingsIn(bar)),
        el("div", { class: "said" }, this.content(v, bar)),
      ];
    }

    detailOfMark(mark) {
      const v = this.view, { kind, label, record, code } = v.marks;
      const bar = code[mark] >= 0 ? v.barAt(code[mark]) : -1;
      return [
        el("p", { class: "kicker" }, kind[mark]),
        el("h3", { id: "detail-title" }, label[mark] || kind[mark]),
        el("p", { class: "where" }, "record " + number(record[mark]), v.marks.repeats[mark] > 1 ? ", and " + number(v.marks.repeats[mark] - 1) + " more" : "",
          bar >= 0 ? el("span", {}, " \u00b7 confirms ", el("button", { type: "button", class: "link", onclick: () => this.chooseBar(bar) }, v.title(bar))) : ""),
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
      const at = this.finding && this.finding.record !== undefined && this.finding.view >= 0 ? this.itemOf(this.finding) : Math.max(0, this.timeline.cursor);
      if (this.conversationOf !== this.view) this.showMessages(Math.max(0, at - step / 4));
      this.conversationOf = this.view;
      if (this.finding || at > 0) this.showMessage(at);
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
      this.conversationPanel.replaceChildren(before, items.length ? list : el("p", { class: "none" }, "No messages."), after);
    }

    // itemOf returns the place of a finding's message in the conversation.
    itemOf(f) {
      const v = this.view, bar = v.barAt(f.record, f.lane);
      const i = v.items.findIndex((item) => (item.bar !== undefined ? item.bar === bar : v.marks.record[item.mark] === f.record));
      return Math.max(0, i);
    }

    showMessageOf(f) {
      if (this.conversationOf !== this.view) { this.showConversation(); return; }
      if (f.record !== undefined && f.view >= 0) this.showMessage(this.itemOf(f));
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
        const { kind, label, record, lane } = v.marks;
        const found = (v.byRecord.get(record[item.mark]) || []).filter((f) => f.lane === lane[item.mark] && v.barAt(f.record, f.lane) < 0);
        return el("li", { class: "event", "data-item": i }, el("button", { type: "button", class: "quiet", onclick: () => this.chooseMark(item.mark) },
          el("i", { class: "glyph " + kind[item.mark] }), kind[item.mark] + (label[item.mark] ? " \u00b7 " + label[item.mark] : "")), found.length ? this.findingLinks(found) : null);
      }
      const { role, type, format } = v.kindOf(item.bar);
      const lane = v.lanes[v.bars.lane[item.bar]];
      const states = v.states(item.bar).filter((s) => s !== "stored");
      const known = ["user", "assistant", "computer", "server"].includes(lane) ? lane : "other";
      return el("li", { class: "message lane-" + known, "data-item": i },
        el("div", { class: "head" },
          el("b", {}, role || lane), " ", el("span", { class: "type" }, type + (format && type !== "code" ? " " + format : "")),
          states.map((s) => el("span", { class: "state " + s }, s)),
          el("button", { type: "button", class: "link range", onclick: () => this.chooseBar(item.bar) }, v.range(item.bar))),
        this.content(v, item.bar),
        this.findingLinks(v.findingsIn(item.bar)));
    }

    // content shows what a block says.
    content(v, bar) {
      const { type, format } = v.kindOf(bar);
      const c = v.bars.content[bar];
      if (!c) return v.bars.blocks[bar] > 1 ? el("p", { class: "none" }, "The text of joined blocks is not kept.") : el("p", { class: "none" }, "No content.");
      const { head, tail, omitted, image, mediaType, binary } = typeof c === "string" ? { head: c } : c;
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
    const parts = severities.filter((s) => f[s + "s"]).map((s) => el("span", { class: "badge " + s, title: quantity(f[s + "s"], s) }, number(f[s + "s"])));
    return el("span", { class: "tally" }, f.failure ? el("span", { class: "badge error" }, "failed") : parts.length ? parts : el("span", { class: "faint" }, "clean"));
  }

  const code = (text) => el("pre", { tabindex: 0 }, el("code", {}, text));

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

  // scrollInto shows an element in its panel. It scrolls nothing else.
  function scrollInto(e) {
    const panel = e?.closest('[role="tabpanel"]');
    if (!panel) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    const box = panel.getBoundingClientRect(), at = e.getBoundingClientRect();
    if (at.top < box.top) panel.scrollBy({ top: at.top - box.top - 8, behavior });
    else if (at.bottom > box.bottom) panel.scrollBy({ top: Math.min(at.top - box.top - 8, at.bottom - box.bottom + 8), behavior });
  }

  return (root) => new Page(root);
})();
