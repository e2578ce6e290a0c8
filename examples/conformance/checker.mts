// A small checker of LMC streams and transcripts, as JSON Lines or a JSON array. It
// reads an input from standard input and writes the mistakes that it finds as
// JSON, by the numbers of the requirements in docs/protocol.md:
//
//     lmclint suite run --checker 'node checker.mts' --id 'core/**'
import { readFileSync } from "node:fs";

type Value = Record<string, unknown>;
interface Row { line: number; record: number; value: Value | undefined; broken: string | undefined }

const dialect = process.env["LMC_DIALECT"] ?? "";
const end = dialect === "interpreter-0.1" ? "stop" : "end";
const roles = ["user", "assistant", "computer", "system"];
const formats: Record<string, string[] | "any" | undefined> = {
  message: undefined, file: undefined, code: "any", console: ["output", "active_line"], confirmation: ["execution"],
  image: ["base64", "base64.png", "base64.jpeg", "path", "description"], audio: ["wav", "bytes.wav", "bytes.raw"], review: ["safe", "warning", "unsafe"],
};
const text = readFileSync(0, "utf8").replace(/^\ufeff/, "");
const isArray = text.trimStart().startsWith("[");
const findings: { requirement: string; line: number; record: number }[] = [];
const found = (requirement: string, at: { line: number; record: number }): void => {
  findings.push({ requirement, line: at.line, record: at.record });
};

// The text and the line of each record: an element of the array, or a line.
function* records(): Generator<[string, number]> {
  if (!isArray) {
    for (const [i, line] of text.split("\n").entries()) if (line.trim() !== "") yield [line, i + 1];
    return;
  }
  let depth = 0, line = 1, first = 1, buffer = "";
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[^"]/gs)) {
    if (depth === 1 && token === "{") first = line;
    depth += token === "{" || token === "[" ? 1 : token === "}" || token === "]" ? -1 : 0;
    line += token === "\n" ? 1 : 0;
    if (depth > 1 || (depth === 1 && token === "}")) buffer += token;
    if (depth === 1 && token === "}") yield [buffer, first];
    if (depth === 1) buffer = "";
  }
  if (depth > 0) yield ["", line - (text.endsWith("\n") ? 1 : 0)];
}

function rows(): Row[] {
  const list: Row[] = [];
  const lastLine = text.trimEnd().split("\n").length;
  for (const [record, line] of records()) {
    let value: unknown;
    let broken: string | undefined;
    try {
      value = JSON.parse(record);
      if (typeof value !== "object" || value === null || Array.isArray(value)) broken = "LMC-INP-5";
    } catch {
      broken = line === lastLine ? "LMC-INP-2" : "LMC-INP-1";
    }
    list.push({ line, record: list.length, value: broken ? undefined : (value as Value), broken });
  }
  return list;
}

// The requirement that a record breaks by itself.
function shape(r: Value, stream: boolean): string | undefined {
  const type = r["type"];
  const events = ["start", end, "content"].filter((key) => key in r);
  if (r["role"] == null) return "LMC-REC-1";
  if (!roles.includes(r["role"] as string)) return "LMC-VOC-1";
  if (type == null) return "LMC-REC-2";
  if (typeof type !== "string" || !(type in formats)) return "LMC-VOC-2";
  const allowed = formats[type];
  if (!stream && (["confirmation", "review"].includes(type) || r["format"] === "active_line")) return "LMC-TRN-2";
  if (!stream && ("start" in r || "end" in r)) return "LMC-TRN-1";
  if (allowed && !("format" in r) && (type !== "console" || "content" in r)) return "LMC-REC-3";
  if (!allowed && "format" in r && type !== "file") return "LMC-REC-4";
  if (Array.isArray(allowed) && "format" in r && !allowed.includes(r["format"] as string)) return "LMC-VOC-3";
  if (events.length !== 1 || (!stream && events[0] !== "content")) return "LMC-REC-5";
  if (events[0] !== "content") return r[events[0]!] !== true ? "LMC-REC-7" : type === "console" && "format" in r ? "LMC-STR-9" : undefined;
  const content = r["content"];
  if (type === "confirmation") {
    const c = content as Value | null;
    return typeof c === "object" && c?.["type"] === "code" && typeof c["format"] === "string" && typeof c["content"] === "string" ? undefined : "LMC-VOC-7";
  }
  if (r["format"] === "active_line") return content === null || (Number.isInteger(content) && (content as number) > 0) ? undefined : "LMC-EXE-8";
  return typeof content === "string" ? undefined : "LMC-REC-6";
}

const harmless = ["LMC-REC-7", "LMC-STR-9", "LMC-REC-6", "LMC-EXE-8"]; // what the record is is clear all the same

function checkStream(list: Row[]): void {
  let open: Value | undefined;
  let unclear = false; // a record was unclear: the next misfit is explained by it
  let code = false; // there is code that a confirmation may be about
  let stray: unknown; // type of the content outside a block
  for (const row of list) {
    const r = row.value;
    const broken = row.broken ?? (r && shape(r, true));
    if (broken) found(broken, row);
    if (!r || (broken && !harmless.includes(broken))) {
      unclear = true;
      continue;
    }
    const same = open && r["role"] === open["role"] && r["type"] === open["type"] && (r["type"] === "console" || r["format"] === open["format"]);
    const report = (requirement: string): void => {
      if (!unclear) found(requirement, row);
      unclear = false;
    };
    if (r["type"] === "confirmation" || "start" in r) {
      if (open) report("LMC-STR-2");
      if (r["type"] === "confirmation" && !code) report("LMC-EXE-3");
      open = "start" in r ? r : undefined;
      code = r["type"] === "code" || (code && r["type"] !== "console");
      stray = undefined;
    } else if (!open && end in r) {
      if (stray === undefined) report("LMC-STR-4");
      stray = undefined;
    } else if (!open) {
      if (stray !== r["type"]) report("LMC-STR-1");
      stray = r["type"];
    } else if (end in r) {
      if (!same) report("LMC-STR-5");
      open = undefined;
    } else if (!same) report("LMC-STR-6");
  }
  const last = list.at(-1);
  if (open && last && !last.broken) found("LMC-STR-3", last);
}

function checkTranscript(list: Row[]): void {
  let code = false; // output may follow
  for (const row of list) {
    const broken = row.broken ?? (row.value && shape(row.value, false));
    const type = row.value?.["type"];
    if (broken) found(broken, row);
    else if (type === "console" && !code) found("LMC-TRN-3", row);
    else if (row.value?.["role"] === "system") found("LMC-TRN-6", row);
    code = broken !== undefined || type === "code" || (code && (type === "console" || type === "image"));
  }
}

const list = rows();
const isChunk = (r: Value | undefined): boolean =>
  r !== undefined && ("start" in r || "end" in r || "stop" in r || r["format"] === "active_line" || r["type"] === "confirmation");
if (list.length === 0 && !isArray) found("LMC-INP-7", { line: 1, record: 0 });
const kind = process.env["LMC_KIND"] ?? (!isArray && list.some((row) => isChunk(row.value)) ? "stream" : "transcript");
if (kind === "stream") checkStream(list);
else checkTranscript(list);
process.stdout.write(JSON.stringify({ findings }));
