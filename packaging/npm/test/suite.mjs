// Compares the WebAssembly build with the program on the conformance suite, finding
// by finding: check on whole inputs, and push on their lines.
//
//   node suite.mjs TESTDATA

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { availableParallelism } from "node:os";

import { program } from "lmclint";
import { check, CheckError, init, Linter } from "lmclint/wasm";

const [suite] = process.argv.slice(2);
const maxPushed = 1 << 20; // bytes of an input whose lines are pushed

await init();

/** Runs the program. */
function run(args, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(program(), args, { stdio: ["pipe", "pipe", "ignore"] });
    const out = [];
    child.stdout.on("data", (data) => out.push(data));
    child.stdin.on("error", () => {});
    child.on("error", reject).on("close", (status) => resolve({ status, out: Buffer.concat(out).toString() }));
    child.stdin.end(input);
  });
}

/** Calls work for each item, a few at a time. */
async function each(items, work) {
  const queue = items.values();
  await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    for (const item of queue) await work(item);
  }));
}

const isInput = (path) => statSync(path).isFile() && !/\.(expect|against)\.json$|\.md$|LICENSE|manifest\.json$/.test(path);
const inputs = readdirSync(suite, { recursive: true }).map((name) => join(suite, name)).filter(isInput).sort();
const cases = inputs.map((path) => {
  const expectation = `${path}.expect.json`;
  const options = existsSync(expectation) ? JSON.parse(readFileSync(expectation, "utf8")).options : {};
  return { path, options, text: readFileSync(path) };
});

/** Whether a text is UTF-16 or UTF-32, of which nothing is read. */
const isForeign = (text) => text.includes(0) || (text[0] & text[1]) >= 0xfe;

const isCompressed = (text) => [[0x1f, 0x8b], [0x28, 0xb5, 0x2f, 0xfd], [0x50, 0x4b, 3, 4]].some((magic) => magic.every((byte, i) => text[i] === byte));

function flagsOf({ against, ...options }, folder) {
  const flags = Object.entries(options).map(([name, value]) => `--${name.replace(/[A-Z]/g, (c) => "-" + c.toLowerCase())}=${value}`);
  return against === undefined ? flags : [...flags, `--against=${join(folder, against)}`];
}

/** A finding as one text, for the order of those at one place. */
const place = (f) => [f.path, f.offset, f.rule, f.message, f.pointer].map(String).join("\0");
const sorted = (findings) => [...findings].sort((a, b) => (place(a) < place(b) ? -1 : 1));

/** Checks an input here, in the way of the program. */
function checkHere({ path, options, text }) {
  const folder = dirname(path);
  const { against, ...rest } = options;
  const compared = against === undefined ? {} : { against: readFileSync(join(folder, against), "utf8"), againstPath: join(folder, against) };
  try {
    return check(text, { ...rest, ...compared, path });
  } catch (error) {
    if (error instanceof CheckError && error.report !== undefined) return error.report;
    throw new Error(`${path}: ${error}`, { cause: error });
  }
}

// Inputs with the same options are one run of the program, but a conversation is
// compared with one stream.
const groups = new Map();
for (const one of cases.filter((c) => !isCompressed(c.text))) {
  const key = JSON.stringify(one.options) + (one.options.against === undefined ? "" : one.path);
  groups.set(key, [...(groups.get(key) ?? []), one]);
}
let checked = 0;
let found = 0;
await each([...groups.values()], async (group) => {
  const flags = flagsOf(group[0].options, dirname(group[0].path));
  const { out } = await run(["check", "--isolated", "--format=json", ...flags, "--", ...group.map((c) => c.path)]);
  const report = JSON.parse(out);
  for (const one of group) {
    const here = checkHere(one);
    const file = report.files.find((f) => f.path === one.path);
    const streamed = [one.path, one.options.against && join(dirname(one.path), one.options.against)];
    const there = report.findings.filter((f) => group.length === 1 || streamed.includes(f.path));
    // The program says on standard error that nothing was checked.
    const files = here.files.map(({ failure, ...f }) => (failure === undefined || f.records === 0 && (f.errors > 0 || failure === "the input contains no records") ? f : { ...f, failure }));
    assert.deepEqual(files, [file], one.path);
    assert.deepEqual(sorted(here.findings), sorted(there), one.path);
    checked++;
    found += there.length;
  }
});

let pushed = 0;
let decided = 0;
const streams = cases.filter((c) => c.options.protocol !== "workbench" && !c.path.includes("/workbench/") && c.text.length > 0 && c.text.length <= maxPushed && !isCompressed(c.text));
await each(streams, async ({ path, options, text }) => {
  const lines = text.toString("latin1").match(/[^\n]*\n|[^\n]+$/g).map((line) => Buffer.from(line.endsWith("\n") ? line : line + "\n", "latin1"));
  const given = { kind: options.kind === "session" ? "session" : "stream", allowEmpty: true };
  for (const name of ["dialect", "autoRun", "partial"]) if (options[name] !== undefined) given[name] = options[name];

  const { out } = await run(["check", "--isolated", "--format=jsonl", "--acknowledge", "--quiet", `--stdin-filename=${path}`, ...flagsOf(given), "-"], Buffer.concat(lines));
  const there = [[]];
  let summary;
  for (const line of out.trimEnd().split("\n").map((line) => JSON.parse(line))) {
    if ("judged" in line) there.push([]);
    else if ("summary" in line) summary = line.summary;
    else if ("file" in line) continue; // an input that failed
    else there.at(-1).push(line);
  }

  const linter = new Linter({ ...given, path });
  let here;
  try {
    here = [...lines.map((line) => linter.push(line)), linter.end()];
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    assert.ok(summary === undefined || summary.incomplete, `${path}: ${error}`); // the program refuses it, too
    return;
  }
  if (!isForeign(text)) assert.equal(there.length, lines.length + 1, `${path}: one answer for each line`);
  if (there.length === here.length) assert.deepEqual(here, there, path);
  else assert.deepEqual(here.flat(), there.flat(), path); // the program stopped reading
  assert.deepEqual(linter.summary, summary, path);
  pushed++;
  decided += here.flat().length;
});

assert.ok(checked > 1000 && pushed > 500, "the suite is there");
console.log(`the same findings: check ${checked} inputs, ${found} findings; push ${pushed} inputs, ${decided} findings`);
