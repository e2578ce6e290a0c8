import assert from "node:assert/strict";
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import test from "node:test";

import { check, CheckError, describe, Report } from "lmclint";

const start = { role: "assistant", type: "message", start: true };
const text = { role: "assistant", type: "message", content: "a" };
const end = { role: "assistant", type: "message", end: true };
const healthy = [start, text, end];
const broken = [start, text];
const lines = (chunks) => chunks.map((c) => JSON.stringify(c) + "\n").join("");

const folder = mkdtempSync(join(tmpdir(), "check-"));
test.after(() => rmSync(folder, { recursive: true }));
const file = join(folder, "a.jsonl");
writeFileSync(file, lines(broken));

const rules = (report) => report.findings.map((f) => f.rule);

async function* later(items) {
  yield* items;
}

test("every kind of input gives the same findings", async () => {
  for (const input of [
    file, pathToFileURL(file), { path: file }, lines(broken), { text: lines(broken) }, Buffer.from(lines(broken)),
    broken, new Set(broken), later(broken), createReadStream(file), createReadStream(file, { encoding: "utf8", highWaterMark: 7 }),
    new Response(lines(broken)).body, new Response(lines(broken)).body.pipeThrough(new TextDecoderStream()),
  ]) {
    const report = await check(input);
    assert.ok(report instanceof Report);
    assert.deepEqual(rules(report), ["LMC203"]);
    assert.equal(report.ok, false);
    assert.equal(report.files[0].records, 2);
  }
});

test("a clean input is ok", async () => {
  const report = await check(healthy);
  assert.deepEqual([report.ok, report.findings, report.summary.errors], [true, [], 0]);
  assert.equal(String(report), "no findings in 1 file (3 records)");
  assert.equal(report.files[0].path, "<input>");
  assert.equal(JSON.parse(JSON.stringify(report)).version, 2);
});

test("the report as text shows the source", async () => {
  const report = await check(broken, { path: "chat.jsonl" });
  assert.match(String(report), /chat\.jsonl:2:1/);
  assert.match(String(report), /LMC203/);
  assert.match(String(report), /1 error in 1 file \(2 records\)$/);
  assert.equal(describe(report.findings[0]), report.findings[0].rendered);
});

test("options reach the program", async () => {
  assert.ok((await check(broken, { ignore: ["LMC203"] })).ok);
  assert.ok((await check(broken, { select: ["LMC1", "execution"] })).ok);
  assert.equal((await check(healthy, { dialect: "docs", kind: "stream", protocol: "lmc" })).files[0].dialect, "docs");
  assert.ok((await check("\n", { kind: "stream", allowEmpty: true })).ok);
  assert.equal((await check(lines(healthy), { form: "jsonl" })).files[0].form, "jsonl");
});

test("configuration applies unless it is switched off", async () => {
  const dir = join(folder, "configured");
  mkdirSync(dir);
  writeFileSync(join(dir, ".lmclint.yaml"), "ignore: [LMC203]\n");
  writeFileSync(join(dir, "b.jsonl"), lines(broken));
  assert.ok((await check(join(dir, "b.jsonl"))).ok);
  assert.ok((await check("b.jsonl", { cwd: dir })).ok);
  assert.deepEqual(rules(await check("b.jsonl", { cwd: dir, config: false })), ["LMC203"]);
  assert.ok((await check(file, { config: join(dir, ".lmclint.yaml") })).ok);
});

test("a directory is searched", async () => {
  const dir = join(folder, "several");
  mkdirSync(dir);
  writeFileSync(join(dir, "1.jsonl"), lines(broken));
  writeFileSync(join(dir, "2.jsonl"), lines(healthy));
  assert.equal((await check(dir)).files.length, 2);
});

test("names that look like flags are paths", async () => {
  writeFileSync(join(folder, "--help"), lines(broken));
  writeFileSync(join(folder, "-"), lines(broken));
  for (const path of ["--help", "-"]) assert.deepEqual(rules(await check({ path }, { cwd: folder })), ["LMC203"]);
});

test("a stream is compared with a conversation", async () => {
  const stored = [{ role: "assistant", type: "message", content: "b" }];
  const path = join(folder, "stored.json");
  writeFileSync(path, JSON.stringify(stored));
  const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith("lmclint-"));
  const before = temporary();
  for (const against of [
    path, pathToFileURL(path), JSON.stringify(stored), { text: JSON.stringify(stored) }, stored, later(stored), Buffer.from(JSON.stringify(stored)),
  ]) {
    assert.deepEqual(rules(await check(healthy, { against })), ["LMC703"]);
  }
  await assert.rejects(check(healthy, { against: [1n] }), TypeError);
  await assert.rejects(check(healthy, { against: join(folder, "none.json") }), CheckError);
  assert.deepEqual(temporary(), before, "temporary files remain");
});

test("a check that cannot be trusted throws", async () => {
  for (const [input, message] of [
    [join(folder, "none.jsonl"), /none\.jsonl: no such file/],
    ['{"jsonrpc": "2.0", "method": "ping"}', /^<input>: unknown protocol: it looks like JSON-RPC/],
    [Buffer.from([0x1f, 0x8b, 8, 0]), /gzip/],
    [[], /no records/],
  ]) {
    await assert.rejects(check(input), (e) => e instanceof CheckError && message.test(e.message) && !/--skip/.test(e.message));
  }
  const error = await check('{"jsonrpc": "2.0", "method": "ping"}').catch((e) => e);
  assert.equal(error.report.summary.incomplete, true);
});

test("no input at all is a wrong argument", async () => {
  for (const input of [undefined, null, 1, {}, { path: 1 }]) await assert.rejects(check(input), TypeError);
  await assert.rejects(check(healthy, { dialekt: "docs" }), /unknown option "dialekt"/);
});

test("an error of the producer passes unchanged", async () => {
  const own = new Error("own");
  async function* failing() {
    yield start;
    throw own;
  }
  await assert.rejects(check(failing()), own);
  await assert.rejects(check([start, 1n]), /item 1 cannot/);
});

test("a producer that never ends does not outlive the program", async () => {
  let left = false;
  async function* endless() {
    try { for (;;) yield { ...text, content: "a".repeat(1 << 16) }; } finally { left = true; }
  }
  await assert.rejects(check(endless(), { dialect: "none" }), CheckError);
  for (let i = 0; i < 100 && !left; i++) await sleep(10);
  assert.ok(left);
});

test("a check is aborted", async () => {
  async function* slow() {
    yield start;
    await new Promise(() => {});
  }
  await assert.rejects(check(slow(), { signal: AbortSignal.timeout(100) }), { name: "TimeoutError" });
  await assert.rejects(check(healthy, { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("a large input passes with backpressure", async () => {
  async function* tokens() {
    yield start;
    for (let i = 0; i < 100_000; i++) yield { ...text, content: `token ${i}` };
    yield end;
  }
  assert.equal((await check(tokens())).files[0].records, 100_002);
});
