import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { check, record } from "lmclint";

const start = { role: "assistant", type: "message", start: true };
const text = { role: "assistant", type: "message", content: "Привет 🎉\n" };
const end = { role: "assistant", type: "message", end: true };
const healthy = [start, text, end];

/** Runs a test with the path of a file that does not exist yet. */
function recording(name, run) {
  test(name, async () => {
    const folder = mkdtempSync(join(tmpdir(), "lmclint-"));
    try {
      const path = join(folder, "stream.jsonl");
      await run(path, () => readFileSync(path, "utf8").split("\n").slice(0, -1).map((line) => JSON.parse(line)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

recording("each chunk is written before it is yielded", async (path, lines) => {
  const seen = [];
  for await (const chunk of record(healthy, path)) {
    seen.push(chunk);
    assert.deepEqual(lines(), seen);
  }
  assert.deepEqual(seen, healthy);
  assert.deepEqual((await check(path, { config: false })).findings, []);
});

recording("a file is replaced or continued", async (path, lines) => {
  for (const [append, count] of [[false, 3], [true, 6], [false, 3]]) {
    for await (const _ of record(healthy, path, { append }));
    assert.equal(lines().length, count);
  }
});

recording("an unfinished line is ended first", async (path) => {
  writeFileSync(path, '{"role": "user", "type": "message", "content": "tru');
  for await (const _ of record(healthy, path, { append: true }));
  const [first, ...rest] = readFileSync(path, "utf8").split("\n").slice(0, -1);
  assert.match(first, /tru$/);
  assert.deepEqual(rest.map((line) => JSON.parse(line)), healthy);
});

recording("a stream that its consumer aborts has no error", async (path, lines) => {
  async function* aborted() {
    yield start;
    throw new DOMException("This operation was aborted", "AbortError");
  }
  await assert.rejects(async () => {
    for await (const _ of record(aborted(), path));
  }, { name: "AbortError" });
  assert.deepEqual(lines(), [start]);
});

recording("an error of the stream is the last record", async (path, lines) => {
  async function* failing() {
    yield start;
    throw new Error("no model");
  }
  await assert.rejects(async () => {
    for await (const _ of record(failing(), path));
  }, /no model/);
  const last = lines().at(-1);
  assert.deepEqual([last.role, last.type], ["server", "error"]);
  assert.match(last.content, /no model/);
  assert.deepEqual((await check(path, { config: false })).findings.map((f) => f.rule), ["LMC202"]);
});

recording("a consumer that stops or fails is no error of the stream", async (path, lines) => {
  for await (const _ of record(healthy, path)) break;
  assert.deepEqual(lines(), [start]);
  await assert.rejects(async () => {
    for await (const _ of record(healthy, path)) throw new Error("consumer");
  }, /consumer/);
  assert.deepEqual(lines(), [start]);
});

recording("a path that cannot be written and a chunk that is not JSON", async (path, lines) => {
  let began = false;
  const never = (function* () {
    began = true;
  })();
  await assert.rejects(record(never, join(path, "below")).next(), { code: "ENOENT" });
  assert.equal(began, false);
  await assert.rejects(async () => {
    for await (const _ of record([start, undefined], path));
  }, /chunk 1 is undefined/);
  assert.deepEqual(lines(), [start]);
});
