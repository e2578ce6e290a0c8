// A checker of LMC transcripts and streams, as JSON or JSON Lines, from docs/protocol.md.
//
// It reads an input from standard input and writes the mistakes that it finds as JSON, by the
// numbers of the requirements. It passes the cases of level must that are in these forms:
//
//     lmclint suite run --checker 'node checker.mts' --without kind:session
import { readFileSync } from "node:fs";

type Keys = Record<string, unknown>;
type Found = (requirement: string, line?: number, record?: number) => void;

const syntax = /[ \t\r\n]*(?:(?<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?<word>true|false|null)|(?<mark>[\][{},:"]))/y;
const strings = /(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const formats = new Map<unknown, string[] | "any" | "none">([
  ["message", "none"], ["code", "any"], ["console", ["output", "active_line"]], ["file", ["path"]], ["confirmation", ["execution"]],
  ["image", ["base64", "base64.png", "base64.jpeg", "path", "description"]], ["audio", ["wav", "bytes.wav", "bytes.raw"]],
  ["review", ["safe", "warning", "unsafe"]], ["command", "none"], ["status", "none"], ["error", "none"],
]);
const server: unknown[] = ["status", "error"];
const roles: unknown[] = ["user", "assistant", "computer", "system"];
const preLMC = ["start_of_message", "end_of_message", "start_of_code", "end_of_code", "executing", "end_of_execution", "output", "language", "message", "active_line"];
const notes = ["text", "markdown", "plaintext"];
const mostLevels = 512;

const isObject = (value: unknown): value is Keys => typeof value === "object" && value !== null && !Array.isArray(value);
const normal = (language: unknown): string => String(language).trim().toLowerCase();

// Text that is not JSON: the requirement, and where.
class Broken extends Error {
  constructor(readonly requirement: string, readonly at: number) {
    super(requirement);
  }
}

class Entry {
  number = 0; // in its conversation
  readonly keys: Keys;
  readonly role: unknown;
  readonly type: unknown;
  readonly format: unknown;
  readonly content: unknown;

  constructor(readonly value: unknown, readonly broken = false) {
    this.keys = isObject(value) ? value : {};
    this.role = this.get("role");
    this.type = this.get("type");
    this.format = this.get("format");
    this.content = this.get("content");
  }

  get(key: string): unknown {
    return Object.hasOwn(this.keys, key) ? this.keys[key] : undefined;
  }

  has(...keys: string[]): boolean {
    return keys.some((key) => Object.hasOwn(this.keys, key));
  }

  // A flag, whatever its value.
  get isFlag(): boolean {
    return this.has("start", "end", "stop");
  }

  get isServerSign(): boolean {
    return this.role === "server" || this.type === "command" || this.type === "status" || this.has("auth", "ack") ||
      (this.role === "user" && this.isFlag && !this.has("type"));
  }
}

// Reads the records of an input.
class Reader {
  readonly records: Entry[] = [];
  readonly lists: Entry[][] = [];
  cut = false;
  private enveloped = false;
  private part = "";
  private problems: [string, number][] = [];

  constructor(private readonly text: string, private readonly found: Found) {}

  private line(at: number): number {
    return this.text.slice(0, at).split("\n").length;
  }

  // A JSON parser that says where it fails. Places are in this.part.

  private token(at: number): [{ number?: string; word?: string; mark?: string }, number] {
    syntax.lastIndex = at;
    const token = syntax.exec(this.part);
    if (token) return [token.groups ?? {}, syntax.lastIndex];
    const rest = this.part.slice(at).replace(/^[ \t\r\n]+/, "");
    const cut = ["true", "false", "null"].some((word) => word.startsWith(rest)) || /^-?[0-9.eE+-]*$/.test(rest);
    throw new Broken(cut ? "LMC-INP-2" : "LMC-INP-1", this.part.length - rest.length);
  }

  private string(at: number): [string, number] {
    strings.lastIndex = at;
    const inner = strings.exec(this.part)?.[0] ?? "";
    const end = at + inner.length;
    if (this.part[end] !== '"') {
      const rest = this.part.slice(end);
      const cut = /^[\r\n]*$/.test(rest) || /^\\(u[0-9a-fA-F]{0,3})?$/.test(rest);
      throw new Broken(cut ? "LMC-INP-2" : "LMC-INP-1", end);
    }
    const value = JSON.parse(`"${inner}"`) as string;
    if (/\p{Surrogate}/u.test(value)) this.problems.push(["LMC-INP-6", at]);
    return [value, end + 1];
  }

  private json(at: number, level = 0): [unknown, number] {
    let [token, end] = this.token(at);
    if (token.number !== undefined || token.word !== undefined) return [JSON.parse(token.number ?? token.word ?? ""), end];
    if (token.mark === '"') return this.string(end);
    if (token.mark !== "[" && token.mark !== "{") throw new Broken("LMC-INP-1", end - 1);
    if (level === mostLevels) throw new Broken("LMC-INP-10", end - 1);
    const isList = token.mark === "[";
    const values: unknown[] = [], keys: Keys = Object.create(null);
    for (let wanted = "first"; ;) {
      let after: number;
      [token, after] = this.token(end);
      const begin = after - (token.number ?? token.word ?? token.mark ?? "").length;
      if (token.mark === (isList ? "]" : "}") && wanted !== "value") return [isList ? values : { ...keys }, after];
      if (wanted === "comma") {
        if (token.mark !== ",") throw new Broken("LMC-INP-1", begin);
        end = after;
        wanted = "value";
        continue;
      }
      let key = "";
      if (!isList) {
        if (token.mark !== '"') throw new Broken("LMC-INP-1", begin);
        [key, end] = this.string(after);
        [token, end] = this.token(end);
        if (token.mark !== ":") throw new Broken("LMC-INP-1", end - (token.number ?? token.word ?? token.mark ?? "").length);
      }
      let value: unknown;
      [value, end] = this.json(end, level + 1);
      if (!isList && key in keys) this.problems.push(["LMC-INP-4", after - 1]);
      if (isList) values.push(value);
      else keys[key] = value;
      wanted = "comma";
    }
  }

  private skip(at: number): number {
    while (at < this.text.length && " \t\r\n".includes(this.text[at] ?? "")) at++;
    return at;
  }

  // Reads all records.
  read(onlyOne: boolean): void {
    let at = this.skip(this.text.startsWith("\ufeff") ? 1 : 0);
    while (at < this.text.length) {
      if (this.text[at] === "[" && (this.lists.length > 0 || this.records.length === 0)) at = this.list(at);
      else if (this.text[at] === "," && this.records.length > 0) this.found("LMC-INP-1", this.line(at++));
      else at = this.one(at);
      at = this.skip(at);
      if (onlyOne && at < this.text.length) {
        this.found("LMC-INP-1", this.line(at));
        return;
      }
    }
  }

  // Reads a value, or passes over what is none, and returns where that ends. Outside a list, a
  // line that begins with a brace begins a record: what is open then is broken.
  private one(at: number, inList = false): number {
    const stop = this.text.indexOf("\n{", at);
    const base = inList ? 0 : at;
    this.part = inList ? this.text : this.text.slice(at, stop >= 0 ? stop : undefined);
    this.problems = [];
    try {
      const [value, end] = this.json(at - base);
      for (const [requirement, where] of this.problems) this.found(requirement, this.line(base + where));
      this.add(value, this.problems.some(([requirement]) => requirement === "LMC-INP-4"));
      return base + end;
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      return this.broken(at, stop, inList, error.requirement, base + error.at);
    }
  }

  private broken(at: number, stop: number, inList: boolean, requirement: string, where: number): number {
    if (requirement === "LMC-INP-2" && !inList && stop >= 0) [requirement, where] = ["LMC-INP-1", stop];
    this.cut ||= requirement === "LMC-INP-2";
    this.found(requirement, this.line(where));
    const messages = /^\{\s*"(messages|chunks)"\s*:\s*(?=\[)/.exec(this.text.slice(at, at + 200));
    if (messages) this.list(at + messages[0].length);
    else this.records.push(new Entry(undefined, true));
    if (requirement === "LMC-INP-2") return this.text.length;
    if (inList && "[{".includes(this.text[at] ?? " ")) {
      const tokens = /"(?:[^"\\\n]|\\.)*"?|[\][{}]/g;
      tokens.lastIndex = at;
      for (let depth = 0, token = tokens.exec(this.text); token; token = tokens.exec(this.text)) {
        depth += "[{".includes(token[0]) ? 1 : "]}".includes(token[0]) ? -1 : 0;
        if (depth === 0) return tokens.lastIndex;
      }
    }
    const end = this.text.indexOf("\n", where);
    return end < 0 ? this.text.length : end;
  }

  // Adds a value, or what it wraps.
  private add(value: unknown, twice: boolean): void {
    let record = new Entry(value, twice);
    if (isObject(value) && !record.has("role", "type") && (this.enveloped || this.records.length === 0)) {
      for (const inner of Object.values(value)) {
        const entry = new Entry(inner);
        if (isObject(inner) && (entry.has("role") || formats.has(entry.type))) {
          [record, this.enveloped] = [entry, true];
        } else if (Array.isArray(inner) && new Entry(inner[0]).has("role", "type")) {
          const list = inner.map((element) => new Entry(element));
          this.enveloped = true;
          this.lists.push(list);
          this.records.push(...list);
          return;
        }
      }
    }
    this.records.push(record);
  }

  // Reads a list element by element, so that one that is broken hides no other.
  private list(at: number): number {
    const first = this.records.length;
    at = this.skip(at + 1);
    for (let comma = true; at < this.text.length && this.text[at] !== "]"; at = this.skip(at)) {
      if (this.text[at] === ",") {
        if (comma) this.found("LMC-INP-1", this.line(at));
        comma = true;
        at++;
        continue;
      }
      if (!comma) this.found("LMC-INP-1", this.line(at));
      at = this.one(at, true);
      comma = false;
    }
    if (at >= this.text.length && !this.cut) {
      this.cut = true;
      this.found("LMC-INP-2", this.line(this.text.trimEnd().length));
    }
    if (!this.enveloped || this.records.length === first) this.lists.push(this.records.slice(first));
    return at + 1;
  }
}

// Reports whether a list is a stream that was saved as one.
function isStreamList(records: Entry[]): boolean {
  const [first, second] = records;
  if (first && second && first.has("start") && !second.has("start") && first.role === second.role && first.type === second.type) return true;
  const begin = records.slice(0, 64);
  const flags = begin.filter((r) => r.isFlag && !r.has("content")).length;
  return flags >= 4 && flags * 10 >= begin.length && !(first?.role === "user" && first.has("content"));
}

// Reports whether a list goes on with a block that the one before leaves open.
function areParts(lists: Entry[][]): boolean {
  return lists.slice(1).some((after, i) => {
    const last = lists[i]?.at(-1), next = after[0];
    return last && next && lists[0]?.[0]?.isFlag && !last.has("end", "stop") && !next.has("start") && last.role === next.role && last.type === next.type;
  });
}

// Reports whether records one after another are a stream.
function isStream(records: Entry[]): boolean {
  const [first] = records;
  const byUser = first?.role === "user" && first.has("content") && !first.isFlag;
  for (const r of records.slice(0, 1000)) {
    if (r.isFlag || r.isServerSign) return true;
    if (!byUser && (r.format === "active_line" || r.type === "confirmation")) return true;
  }
  let continued = 0, words = 0, inside = 0;
  let last: { type: unknown; format: unknown; text: string } | undefined;
  for (const { role, type, format, content } of records) {
    if (role !== "assistant" || (type !== "message" && type !== "code") || typeof content !== "string") {
      last = undefined;
      continue;
    }
    if (!last || last.type !== type || last.format !== format) [words, inside] = [0, 0];
    else if (last.text !== "" && content !== "" && !/[.!?。！？؟।…:\n]\s*$/.test(last.text) && (/^[\s!-/:-@[-`{-~]/.test(content) || last.text.endsWith(" "))) continued++;
    const word = /^(?:[A-Za-z]+|[0-9]+)[.,!?]?$/.test(content);
    words = word ? words + 1 : 0;
    inside = word ? inside + (/^[A-Z]/.test(content) ? 0 : 1) : 0;
    if (continued >= 2 || (words >= 4 && inside >= 2)) return true;
    last = { type, format, text: content };
  }
  return false;
}

// What transcripts and streams have in common: records by themselves.
class Checker {
  private old = false; // a record from before LMC was reported
  private readonly end: string;

  constructor(private readonly found: Found, protected readonly dialect: string, protected readonly named: boolean) {
    this.end = dialect === "interpreter-0.1" ? "stop" : "end";
  }

  protected report(requirement: string, record: Entry): void {
    this.found(requirement, undefined, record.number);
  }

  // Reports what is wrong with a record by itself. Returns whether its meaning is clear.
  protected shape(r: Entry, stream: boolean): boolean {
    if (r.broken) return false;
    if (!isObject(r.value)) {
      this.report("LMC-INP-5", r);
      return false;
    }
    if ((!r.has("type", "content") && r.has(...preLMC)) || (r.has("role") && !r.has("type") && r.has("message", "code", "output"))) {
      if (!this.old) this.report("LMC-REC-14", r);
      this.old = true;
      return false;
    }
    if (r.has("auth", "ack") && !r.has("role")) {
      if (!stream) this.report("LMC-TRN-2", r);
      return false;
    }
    const isLine = r.type === "console" && r.format === "active_line";
    if (!stream && (["confirmation", "review", "command"].includes(r.type as string) || server.includes(r.type) || r.role === "server" || isLine)) {
      if (this.named || r.format !== "active_line") this.report("LMC-TRN-2", r);
      return true;
    }
    if (!r.has("role")) {
      this.report("LMC-REC-1", r);
      if (!r.has("type")) return false;
    } else if (!roles.includes(r.role) && !(r.role === "server" && server.includes(r.type))) {
      this.report("LMC-VOC-1", r);
    }
    if (!r.has("type")) this.report("LMC-REC-2", r);
    else if (!formats.has(r.type)) this.report("LMC-VOC-2", r);
    else this.formatOf(r);
    this.events(r, stream);
    if (r.has("recipient")) {
      if (r.keys["recipient"] !== "user" && r.keys["recipient"] !== "assistant") this.report("LMC-REC-10", r);
      if (r.isFlag) this.report("LMC-REC-11", r);
    }
    return formats.has(r.type);
  }

  private formatOf(r: Entry): void {
    const known = formats.get(r.type);
    if (known === "none") {
      if (r.has("format")) {
        this.report("LMC-REC-4", r);
        return;
      }
    } else if (r.type === "console" && r.isFlag && !r.has("content")) {
      if (r.has("format")) {
        this.report("LMC-VOC-3", r);
        this.report("LMC-STR-9", r);
      }
    } else if (!r.has("format") || r.format === "") {
      if (r.type !== "file" || r.has("format")) {
        this.report("LMC-REC-3", r);
        return;
      }
    } else if (typeof r.format !== "string" || (known !== "any" && !known?.includes(r.format))) {
      this.report("LMC-VOC-3", r);
      return;
    }
    if (r.has("content")) this.contentOf(r, r.content);
  }

  private contentOf(r: Entry, content: unknown): void {
    if (r.type === "console" && r.format === "active_line") {
      const digits = !this.named && typeof content === "string" && /^[0-9]+$/.test(content);
      if (content !== null && !digits && !(Number.isInteger(content) && (content as number) > 0)) this.report("LMC-EXE-8", r);
    } else if (r.type === "confirmation") {
      const keys = isObject(content) ? Object.keys(content).sort().join() : "";
      const right = keys === "content,format,type" || (keys === "code,language,type" && !this.named);
      if (!right || !isObject(content) || content["type"] !== "code" || !Object.values(content).every((value) => typeof value === "string")) this.report("LMC-VOC-7", r);
    } else if (typeof content !== "string") {
      this.report("LMC-REC-6", r);
    } else if (r.type === "file" || (r.type === "image" && r.format === "path")) {
      if (content === "") this.report("LMC-CNT-6", r);
      else if (content.startsWith("data:") || /^(iVBOR|\/9j\/)[A-Za-z0-9+/\s]{20}/.test(content)) this.report("LMC-CNT-7", r);
    }
  }

  private events(r: Entry, stream: boolean): void {
    const events = ["start", this.end, "content"].filter((key) => r.has(key));
    if (!stream) {
      if (r.has("start", "end")) this.report("LMC-TRN-1", r);
      else if (!r.has("content")) this.report("LMC-REC-5", r);
      return;
    }
    if (events.length === 0 && r.has("end", "stop")) this.report("LMC-REC-8", r);
    else if (events.length !== 1 || (r.type === "confirmation" && !r.has("content"))) this.report("LMC-REC-5", r);
    for (const key of events) if (key !== "content" && r.keys[key] !== true) this.report("LMC-REC-7", r);
  }

  // Reports what is wrong with the data of an image.
  protected image(r: Entry): void {
    if (typeof r.content !== "string" || r.type !== "image" || !String(r.format).startsWith("base64")) return;
    const text = r.content.replace(/[\r\n \t]+$/, "");
    const pure = /^[A-Za-z0-9+/]*={0,2}/.exec(text)?.[0] ?? "";
    const data = Buffer.from(pure, "base64");
    const kind = data.subarray(0, 8).toString("latin1") === "\x89PNG\r\n\x1a\n" ? "png" : data.subarray(0, 3).toString("latin1") === "\xff\xd8\xff" ? "jpeg" : "";
    const size = pictureSize(kind, data);
    if (size !== undefined && (pure.length < text.length || size < data.length)) {
      this.report("LMC-CNT-3", r); // something follows the image
    } else if (pure.length < text.length || pure.length % 4 !== 0) {
      this.report("LMC-CNT-1", r);
      return;
    } else if ((kind !== "" && size === undefined) || pure === "") {
      this.report("LMC-CNT-3", r);
    }
    if (pure !== "" && kind !== (r.format === "base64.jpeg" ? "jpeg" : "png")) this.report("LMC-CNT-2", r);
  }
}

// Returns how many bytes of data are one image, or undefined if it is cut.
function pictureSize(kind: string, data: Buffer): number | undefined {
  if (kind === "jpeg") {
    const end = data.indexOf("\xff\xd9", 0, "latin1");
    return end < 0 ? undefined : end + 2;
  }
  for (let at = 8; kind === "png" && at + 12 <= data.length;) {
    const next = at + 12 + data.readUInt32BE(at);
    if (next > data.length) return undefined;
    if (data.toString("latin1", at + 4, at + 8) === "IEND") return next;
    at = next;
  }
  return undefined;
}

class Transcript extends Checker {
  check(records: Entry[], cut: boolean): void {
    let coded = false; // the message or code before was code, or may have been
    for (const r of records) {
      if (!this.shape(r, false)) {
        coded = true; // what it was is not known
        continue;
      }
      if (r.type === "console" && r.format !== "active_line" && !coded && !(cut && records.length <= 2)) this.report("LMC-TRN-3", r);
      if (r.role === "system") this.report("LMC-TRN-6", r);
      if (r.type === "audio" && (this.named || r.format !== "wav")) this.report("LMC-TRN-7", r);
      this.image(r);
      if (!["console", "image", "confirmation", "review"].includes(r.type as string)) coded = r.type === "code";
    }
  }
}

interface Block {
  role: unknown; type: unknown; format: unknown; start: Entry; contents: Entry[];
  lost: boolean; // a record of it
  over: boolean; // its last chunk had content and an end
  unconfirmed: boolean;
}

class Stream extends Checker {
  private block: Block | undefined; // the open one
  private closed: Block | undefined; // the one that the start of another has closed
  private stray: string | undefined; // role and type of content outside a block
  private unclear = false; // a record of unclear meaning explains the next misfit
  private code: { text: string | undefined; format: unknown; ran: boolean } | undefined; // the last of the assistant; its text if known
  private confirmed = true; // what runs next
  private running = false; // an execution goes on
  private asked = false;
  private told = false;

  constructor(found: Found, dialect: string, named: boolean, private readonly autoRun: boolean) {
    super(found, dialect, named);
  }

  private misfit(requirement: string, r: Entry): void {
    if (!this.unclear) this.report(requirement, r);
    this.unclear = false;
  }

  check(records: Entry[], cut: boolean): void {
    for (const r of records) {
      if (this.shape(r, true)) this.step(r);
      else this.unclearRecord(r);
    }
    const last = records.at(-1);
    if (!this.block || !last) return;
    if (!this.block.over) {
      if (!cut && !this.unclear) this.report("LMC-STR-3", last);
      if (this.block.type === "image") this.block.contents = [];
    }
    this.close();
  }

  private unclearRecord(r: Entry): void {
    if (r.format === "execution" || isObject(r.content)) {
      this.confirmation(r);
    } else if (r.broken || !r.has("auth", "ack")) {
      this.unclear = this.confirmed = true;
      if (this.code) this.code.text = undefined;
      if (this.block) this.block.lost = true;
      if (r.has("start") && !r.broken) this.block = this.open(r, undefined);
    }
  }

  private step(r: Entry): void {
    const ends = r.has("end", "stop");
    if (r.type === "confirmation") {
      this.confirmation(r);
    } else if (server.includes(r.type) || r.role === "server") {
      this.interrupt(r);
    } else if (r.has("start")) {
      this.interrupt(r);
      this.stray = undefined;
      this.block = this.open(r, r.type);
      this.begin(r);
      if (r.has("content") && r.content !== "") this.chunk(r);
      if (ends) this.close();
    } else if (ends && (!r.has("content") || r.content === "")) {
      this.ended(r);
    } else if (r.has("content")) {
      this.chunk(r);
      if (this.block && ends) this.block.over = true;
    } else {
      this.unclear = true;
    }
  }

  private open(r: Entry, type: unknown): Block {
    return { role: roles.includes(r.role) ? r.role : undefined, type, format: r.format ?? undefined, start: r, contents: [], lost: false, over: false, unconfirmed: false };
  }

  private fits(block: Block, r: Entry): boolean {
    return (block.role === undefined || block.role === r.role) && (block.type === undefined || block.type === r.type) &&
      (r.type === "console" || block.format === r.format || typeof block.format !== "string" || !r.has("format"));
  }

  // What starts closes the block that is open.
  private interrupt(r: Entry): void {
    const block = this.block;
    this.closed = undefined;
    if (!block) return;
    this.close();
    if (block.over) return;
    this.misfit("LMC-STR-2", r);
    this.closed = block;
  }

  // Notes what a block, or content without one, says about execution.
  private begin(r: Entry): void {
    if (r.type === "code" && r.role !== "computer") {
      this.running = this.confirmed = false;
      this.code = { text: undefined, format: r.format, ran: false };
    } else if (r.type === "message") {
      this.confirmed &&= !this.running;
      this.running = false;
    } else if (r.role === "computer" && (r.type === "console" || r.type === "image") && !this.running) {
      this.running = true;
      if (this.confirmed || (!this.code && !this.asked)) {
        this.confirmed = false;
        if (this.code) this.code.ran = true;
      } else if (this.block?.start === r) {
        this.block.unconfirmed = true;
      } else {
        this.unconfirmed(r);
      }
    }
  }

  private unconfirmed(r: Entry): void {
    const note = this.code && notes.includes(normal(this.code.format));
    if (this.code) this.code.ran = true;
    if (note || this.autoRun || this.dialect === "server" || this.dialect === "01") return;
    if (this.unclear) {
      this.unclear = false;
    } else if (this.asked || !this.told) {
      this.told = true;
      this.report("LMC-EXE-1", r);
    }
  }

  private chunk(r: Entry): void {
    const block = this.block, name = `${String(r.role)} ${String(r.type)}`;
    if (!block) {
      if (this.stray !== name) {
        this.misfit("LMC-STR-1", r);
        this.begin(r);
      }
      this.stray = name;
      return;
    }
    block.over = false;
    if (block.type === undefined && (block.role === undefined || block.role === r.role)) block.type = r.type;
    if (!this.fits(block, r)) {
      this.misfit("LMC-STR-6", r);
      block.lost = true;
      if (r.type === "code" && r.role === "assistant") this.begin(r);
      return;
    }
    if (block.type === "image" && block.contents.length > 0) this.report("LMC-CNT-4", r);
    [block.role, block.type] = [r.role, r.type];
    if (r.type !== "console") block.format ??= r.format;
    block.contents.push(r);
  }

  private ended(r: Entry): void {
    const block = this.block;
    if (block) {
      this.closed = undefined;
      const lacks = block.type !== undefined && block.type !== "console" && !r.has("format") && typeof block.format === "string";
      if (!this.fits(block, r) || lacks) this.misfit("LMC-STR-5", r);
      this.close();
    } else if (this.stray === `${String(r.role)} ${String(r.type)}`) {
      this.stray = undefined;
    } else if (this.closed && this.fits(this.closed, r)) {
      this.closed = undefined;
    } else {
      this.misfit("LMC-STR-4", r);
    }
  }

  private close(): void {
    const block = this.block;
    this.block = undefined;
    if (!block) return;
    const texts = block.contents.map((r) => r.content);
    const pieces = texts.some((text) => !/^(iVBOR|\/9j\/)/.test(String(text)));
    if (block.type === "image" && (texts.length === 1 || !pieces)) block.contents.forEach((r) => this.image(r)); // else the pieces of one image
    if (block.type === "code" && block.role !== "computer") {
      const known = !block.lost && texts.every((text) => typeof text === "string");
      this.code = { text: known ? texts.join("") : undefined, format: block.format, ran: false };
    }
    if (!block.unconfirmed) return;
    if (this.isRefusal(texts)) {
      this.running = false;
      if (this.code) this.code.ran = true;
    } else {
      this.unconfirmed(block.start);
    }
  }

  // Reports whether a block is the answer to code that was not run.
  private isRefusal(texts: unknown[]): boolean {
    const [text] = texts;
    if (texts.length !== 1 || typeof text !== "string") return false;
    return text.trim() === `\`${normal(this.code?.format)}\` disabled or not supported.` ||
      (text.startsWith("Code block was empty.") && (this.code?.text ?? "").trim() === "");
  }

  private confirmation(r: Entry): void {
    const block = this.block, late = block !== undefined && block.unconfirmed && !this.autoRun;
    if (late) {
      this.unconfirmed(block.start);
      block.unconfirmed = false;
    } else {
      this.interrupt(r);
    }
    [this.stray, this.asked] = [undefined, true];
    const content = isObject(r.content) ? r.content : {};
    const text = content["content"] ?? content["code"], language = content["format"] ?? content["language"];
    const code = this.code;
    const same = code && (code.text === undefined || typeof text !== "string" || confirms(code.text, code.format, text, language));
    if (!code || (code.ran && !same && !late)) {
      if (!this.unclear) this.report("LMC-EXE-3", r);
      this.unclear = false;
    } else if (!same && r.type === "confirmation") {
      this.misfit("LMC-EXE-5", r);
    }
    if (!late) [this.confirmed, this.running] = [true, false];
  }
}

// Reports whether a confirmation is of the code that was streamed, or of what a call in JSON has.
function confirms(streamed: string, format: unknown, text: string, language: unknown): boolean {
  try {
    const call: unknown = JSON.parse(streamed);
    if (isObject(call) && call["code"] === text) return true;
  } catch { /* no call */ }
  return streamed === text && (typeof language !== "string" || normal(language) === normal(format));
}

const data = readFileSync(0);
const findings: { requirement: string; line?: number; record?: number }[] = [];
const found: Found = (requirement, line, record) => {
  findings.push(record === undefined ? { requirement, line: line ?? 1 } : { requirement, record });
};
const option = (name: string): string => process.env[`LMC_${name}`] ?? "";
for (let at = 0, line = 1; at <= data.length; line++) {
  const end = data.indexOf(10, at);
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(data.subarray(at, end < 0 ? undefined : end));
  } catch {
    found("LMC-INP-3", line);
  }
  at = end < 0 ? data.length + 1 : end + 1;
}
const reader = new Reader(data.toString("utf8"), found);
reader.read(option("FORM") === "json");
const records = reader.records;
if (records.length === 0 && findings.length === 0 && reader.lists.length === 0 && option("ALLOW_EMPTY") === "") found("LMC-INP-7", 1);
const lists = reader.lists.flat().length === records.length ? reader.lists : [];
const stream = option("KIND") === "stream" || (option("KIND") === "" && (lists[0] ? areParts(lists) || isStreamList(lists[0]) : isStream(records)));
const dialect = option("DIALECT") || (records.some((r) => r.isServerSign) ? "server" : "interpreter");
const always = ["interpreter-0.2", "interpreter-0.1", "docs"].includes(dialect);
for (const part of stream || lists.length === 0 ? [records] : lists) {
  for (const [number, r] of part.entries()) r.number = number;
  if (stream) new Stream(found, dialect, option("DIALECT") !== "", option("AUTO_RUN") !== "" && !always).check(part, reader.cut);
  else new Transcript(found, dialect, option("DIALECT") !== "").check(part, reader.cut);
}
console.log(JSON.stringify({ findings }));
