// What drawing needs of one conversation.
"use strict";

// View is one conversation with what drawing needs: the bars and marks of each
// lane in order, and the findings.
class View {
  constructor(data, fileIndex, index, findings, stateNames) {
    Object.assign(this, data);
    this.file = fileIndex;
    this.index = index;
    this.findings = findings;
    this.stateNames = stateNames;
    this.bars = columns(data.bars, { lane: 0, role: "", type: "", format: "", first: 0, last: 0, start: 0, end: 0, written: "", state: 0, content: null, count: 1 });
    this.marks = columns(data.marks, { lane: 0, kind: "", label: "", record: 0, time: 0, code: -1, count: 1 });
    this.byLane = data.lanes.map(() => ({ bars: [], marks: [] }));
    this.bars.lane.forEach((lane, i) => this.byLane[lane].bars.push(i));
    this.marks.lane.forEach((lane, i) => this.byLane[lane].marks.push(i));
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
    return { role: this.bars.role[bar], type: this.bars.type[bar], format: this.bars.format[bar] };
  }

  // title names a bar: "assistant code (python)".
  title(bar) {
    const { role, type, format } = this.kindOf(bar), n = this.bars.count[bar];
    if (n > 1) return number(n) + " blocks of " + this.lanes[this.bars.lane[bar]];
    return [role || this.lanes[this.bars.lane[bar]], type].filter(Boolean).join(" ") + (format ? " (" + format + ")" : "");
  }

  // markTitle names a mark: "status complete".
  markTitle(mark) {
    const kind = this.marks.kind[mark], label = this.marks.label[mark], n = this.marks.count[mark];
    if (n > 1) return number(n) + " events: " + kind;
    if (kind === "auth") return { true: "authentication accepted", false: "authentication refused" }[label] || "authentication with a key";
    return label ? kind + " " + label : kind;
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

// columns returns the values of objects by key. What an object lacks has the value in
// absent.
function columns(objects, absent) {
  const made = {};
  for (const key in absent) made[key] = (objects || []).map((o) => o[key] ?? absent[key]);
  return made;
}

// upperOf returns how many of the sorted values are at most limit.
function upperOf(values, limit) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
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
