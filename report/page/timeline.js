// The timeline: a canvas that is zoomed, panned and read with mouse and keyboard.
"use strict";

const pinHeight = 34, axisHeight = 20, labelWidth = 104, overviewHeight = 34;
const printWidth = 700; // of a page of A4 or Letter between its margins
const pinRoom = 14; // pins that are closer to each other would overlap

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
    this.print = matchMedia("print");
    this.print.addEventListener("change", () => this.resize());
  }

  // show shows a view, or nothing if there is none.
  show(view) {
    this.view = view;
    this.cursor = -1;
    this.hover = null;
    this.selectedBar = this.selectedMark = undefined;
    this.byTime = false;
    this.showTip(null);
    if (!view) return;
    this.laneHeight = Math.max(18, Math.min(30, Math.floor(240 / view.lanes.length))); // many lanes leave room for the axis
    this.gap = this.laneHeight < 26 ? 2 : 5; // between a bar and the edge of its lane
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
    const m = upperOf(v.marks.record, record) - 1;
    if (v.marks.record[m] === record) return v.marks.time[m];
    const i = v.barAt(record, lane);
    if (i < 0) return this.full[0];
    const n = v.bars.last[i] - v.bars.first[i];
    return v.bars.start[i] + (n ? (record - v.bars.first[i]) / n : 0) * (v.bars.end[i] - v.bars.start[i]);
  }

  x(position) { return labelWidth + ((position - this.from) / (this.to - this.from)) * this.plot; }
  position(x) { return this.from + ((x - labelWidth) / this.plot) * (this.to - this.from); }

  resize() {
    if (!this.view) return;
    const width = this.print.matches ? printWidth : Math.max(280, this.element.clientWidth);
    this.width = width;
    this.plot = width - labelWidth - 12;
    this.height = pinHeight + this.view.lanes.length * this.laneHeight + axisHeight;
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

  laneTop(lane) { return pinHeight + lane * this.laneHeight; }

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
      if (lane % 2 === 0) { g.fillStyle = c.band; g.fillRect(0, y, this.width, this.laneHeight); }
      g.fillStyle = c.ink;
      g.textAlign = "right";
      g.fillText(clip(g, visible(v.lanes[lane]), labelWidth - 20), labelWidth - 12, y + this.laneHeight / 2);
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
    const last = this.byTime ? this.to - zero + step * 1e-6 : Math.min(this.to, this.view.records - 1);
    for (let p = Math.ceil((this.from - zero) / step) * step; p <= last; p += step) {
      const x = Math.round(this.x(p + zero + (this.byTime ? 0 : 0.5))) + 0.5;
      g.beginPath();
      g.moveTo(x, pinHeight);
      g.lineTo(x, y + 3);
      g.stroke();
      const text = this.byTime ? duration(p, step) : number(Math.round(p)), half = g.measureText(text).width / 2;
      g.fillText(text, Math.min(x, this.width - half - 1), y + 12); // the last one is not clipped
    }
  }

  // paintBars paints the bars of a lane. Bars narrower than a pixel share one.
  paintBars(g, c, lane) {
    const v = this.view, { bars } = v.byLane[lane];
    const color = this.laneColor(c, lane);
    const top = this.laneTop(lane) + this.gap, height = this.laneHeight - 2 * this.gap;
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
    g.lineWidth = 1;
    path(g, x0 + 0.5, top + 0.5, width, height - 1, has("stored") ? 1 : 3);
    g.globalAlpha = has("empty") ? 0.08 : type === "code" ? 0.42 : type === "console" ? 0.3 : 0.2;
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
      const label = type === "code" && format ? format : type || "block";
      const left = Math.max(x0, labelWidth - 6);
      const text = clip(g, visible(label), x1 - left - 12);
      g.fillText(text, left + 6, top + height / 2 + 0.5);
      const rest = x1 - left - 12 - g.measureText(text).width - 12;
      const head = headOf(v.bars.content[bar]);
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
      const y0 = this.laneTop(v.bars.lane[bar]) + this.laneHeight / 2, y1 = this.laneTop(lane[i]) + this.laneHeight / 2;
      g.beginPath();
      g.moveTo(x0 - 1, y0);
      g.bezierCurveTo(x0 + 8, y0, x1, y1 - 12, x1, y1);
      g.stroke();
    }
  }

  paintMarks(g, c, lane) {
    const v = this.view, { marks } = v.byLane[lane];
    const y = this.laneTop(lane) + this.laneHeight / 2;
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

  // paintPins paints findings above the lanes. Pins that would overlap are one with
  // their number if they are at one place, else a strip that shows their density.
  paintPins(g, c) {
    const row = 14, pins = (this.pins = []);
    for (const { f, x } of this.placed()) {
      let pin = pins[pins.length - 1];
      if (!pin || x - pin.to >= pinRoom) pins.push((pin = { x, to: x, severity: f.severity, findings: [], at: [] }));
      pin.to = x;
      pin.findings.push(f);
      pin.at.push(x);
      pin.severity = graver(pin.severity, f.severity);
    }
    const { density, findings } = this.view, rest = density && density.total > findings.length; // places that are not in the page
    if (rest) paintColumns(g, c, this.densityColumns((p) => this.x(p), this.from, this.to), labelWidth, row);
    const few = pins.length <= 60;
    for (const p of pins) {
      const chosen = p.findings.indexOf(this.owner.finding);
      const hovered = this.hover?.pin?.findings[0] === p.findings[0];
      const i = Math.max(chosen, 0), f = p.findings[i], x = p.at[i];
      if (isStrip(p) && !rest) paintColumns(g, c, columnsOf(p), p.x - columnWidth / 2, row);
      if (isStrip(p) && chosen < 0) continue;
      const strong = chosen >= 0 || hovered;
      if (f.record !== undefined && (few || strong)) {
        const y = this.laneTop(f.lane) + this.gap;
        g.strokeStyle = g.fillStyle = c[f.severity];
        g.globalAlpha = strong ? 1 : 0.4;
        g.lineWidth = chosen >= 0 ? 1.5 : 1;
        g.beginPath();
        g.moveTo(x, row + 7);
        g.lineTo(x, y);
        g.stroke();
        g.beginPath();
        g.arc(x, y, 2.5, 0, 7);
        g.fill();
        this.paintRelated(g, f, x, y, strong);
        g.globalAlpha = 1;
        g.lineWidth = 1;
      }
      if (isStrip(p)) pin(g, c, f.severity, x, row, 1, true);
      else pin(g, c, p.severity, p.x, row, p.findings.length, strong);
    }
    this.paintCause(g, c);
  }

  // paintCause marks all places of the chosen finding.
  paintCause(g, c) {
    const f = this.owner.finding, all = f?.cause.all;
    if (!f || all.length < 2 || f.file !== this.view.file) return;
    g.fillStyle = c[f.severity];
    let last = -10;
    for (const place of all) {
      if (place.view !== this.view.index || place.record === undefined) continue;
      const x = this.x(this.recordAt(place.record, place.lane));
      if (Math.abs(x - last) < 2 || x < labelWidth || x > this.width) continue;
      last = x;
      g.fillRect(x - 0.75, pinHeight - 9, 1.5, 9);
    }
  }

  // densityColumns returns how many findings are where, in columns of the part of the scale
  // that is shown; at is where a position is.
  densityColumns(at, from, to) {
    const { size, counts } = this.view.density, columns = [];
    const column = (record) => Math.round((at(this.byTime ? this.recordAt(record) : record) - labelWidth) / columnWidth);
    counts.forEach((of, i) => {
      if (!of.some(Boolean) || (!this.byTime && ((i + 1) * size < from || i * size > to))) return;
      const first = Math.max(0, column(i * size)), end = Math.min(Math.ceil(this.plot / columnWidth), Math.max(first + 1, column((i + 1) * size)));
      const severity = severities[of.findIndex(Boolean)];
      for (let k = first; k < end; k++) addTo(columns, k, of.reduce((n, m) => n + m) / (end - first), severity);
    });
    return columns;
  }

  // placed lists the findings that are in the part that is shown, from left to right.
  placed() {
    const v = this.view, found = [];
    for (const f of v.findings) {
      const x = this.x(f.record === undefined ? this.full[0] : this.recordAt(f.record, f.lane));
      if (x >= labelWidth - 8 && x <= this.width + 8) found.push({ f, x });
    }
    return found.sort((a, b) => a.x - b.x);
  }

  // paintRelated draws a line from a finding to each of its related places. It
  // leaves the stem of the pin above the lane of the place, to cover no text.
  paintRelated(g, f, x, y, strong) {
    (f.relatedAt || []).forEach((place, i) => {
      const record = f.related[i].record;
      if (place.lane < 0 || record === undefined || record === f.record) return;
      const x1 = this.x(this.recordAt(record, place.lane)), y1 = this.laneTop(place.lane) + this.gap;
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
      const columns = v.density ? this.densityColumns(at, low, high) : [];
      for (const f of v.findings) if (f.record !== undefined) addTo(columns, Math.round((at(this.recordAt(f.record, f.lane)) - labelWidth) / columnWidth), 1, f.severity);
      columns.forEach((column, i) => {
        o.fillStyle = c[column.severity];
        o.fillRect(labelWidth + i * columnWidth - 1, 3, columnWidths[column.severity], 6);
      });
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

  // zoom zooms around a position: the selection, if none is given. A selection that
  // is not shown comes to the middle.
  zoom(factor, around) {
    const center = around ?? this.selection() ?? (this.from + this.to) / 2;
    const half = (this.to - this.from) / 2;
    const [from, to] = center >= this.from && center <= this.to ? [this.from, this.to] : [center - half, center + half];
    this.set(center - (center - from) * factor, center + (to - center) * factor);
  }

  // selection returns where the chosen finding, block or event is.
  selection() {
    const f = this.owner.finding;
    if (f && f.record !== undefined && f.view === this.view.index && f.file === this.view.file) return this.recordAt(f.record, f.lane);
    if (this.selectedBar >= 0) return (this.begin(this.selectedBar) + this.end(this.selectedBar)) / 2;
    return this.selectedMark >= 0 ? this.markAt(this.selectedMark) : undefined;
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
    this.choose(item);
    const { bars, marks } = this.view;
    if (item.bar !== undefined) this.reveal(bars.first[item.bar], bars.lane[item.bar]);
    else this.reveal(marks.record[item.mark], marks.lane[item.mark]);
  }

  select(bar, mark) {
    this.selectedBar = bar;
    this.selectedMark = mark;
    this.draw();
  }

  choose(item) {
    if (!item) return;
    if (item.pin) {
      const i = item.near ?? item.pin.findings.indexOf(this.owner.finding) + 1;
      this.owner.chooseFinding(item.pin.findings[i % item.pin.findings.length], "timeline");
    } else this.owner.chooseItem(item);
  }

  // hit returns what is at a point: a pin, a mark or a bar; or null.
  hit(x, y) {
    const v = this.view;
    if (x < labelWidth - 6) return null;
    if (y < pinHeight) {
      let best = null, least = 9;
      for (const p of this.pins || []) {
        const away = Math.max(p.x - x, x - p.to, 0);
        if (away < least) { best = p; least = away; }
      }
      return best && { pin: best, near: isStrip(best) ? nearest(best.at, x) : undefined };
    }
    const lane = Math.floor((y - pinHeight) / this.laneHeight);
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
      const from = item.near ?? 0, all = item.pin.findings;
      for (const f of all.slice(from, from + 4)) add(tip, [el("p", { class: f.severity }, el("b", {}, f.rule), " ", f.message)]);
      if (all.length > 4) add(tip, [el("p", {}, quantity(all.length, "finding") + " here")]);
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
    const box = this.canvas.getBoundingClientRect();
    tip.style.left = Math.max(0, Math.min(box.left + x + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(0, Math.min(box.top + y + 18, innerHeight - tip.offsetHeight - 8)) + "px";
  }
}

// isStrip reports whether the findings of a pin are too far from each other for one
// pin, and too close for one each.
const isStrip = (p) => p.to - p.x >= pinRoom;

// graver returns the more severe of two severities.
const graver = (a, b) => (severities.indexOf(a) <= severities.indexOf(b) ? a : b);

// nearest returns the index of the position that is closest to x.
function nearest(positions, x) {
  let best = 0;
  positions.forEach((p, i) => { if (Math.abs(p - x) < Math.abs(positions[best] - x)) best = i; });
  return best;
}

const columnWidth = 4, columnWidths = { error: 3, warning: 2, note: 1 }; // the severity is not shown by color alone

function addTo(columns, i, count, severity) {
  const column = (columns[i] ||= { count: 0, severity });
  column.count += count;
  column.severity = graver(column.severity, severity);
}

function columnsOf(p) {
  const columns = [];
  p.at.forEach((x, i) => addTo(columns, Math.floor((x - p.x) / columnWidth), 1, p.findings[i].severity));
  return columns;
}

// paintColumns paints how many findings are where.
function paintColumns(g, c, columns, left, row) {
  let most = 1;
  columns.forEach((column) => { most = Math.max(most, column.count); });
  columns.forEach((column, i) => {
    const height = 5 + 15 * (Math.log1p(column.count) / Math.log1p(most)), x = left + i * columnWidth;
    g.fillStyle = c.line;
    g.fillRect(x, row + 8, columnWidth, 1);
    g.fillStyle = c[column.severity];
    g.fillRect(x, row + 8 - height, columnWidths[column.severity], height);
  });
}
