// The timeline: a canvas that is zoomed, panned and read with mouse and keyboard.
"use strict";

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
