import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import test from "node:test";

import { CheckError, ConformanceError, guard } from "lmclint";

const start = { role: "assistant", type: "message", start: true };
const text = { role: "assistant", type: "message", content: "a" };
const end = { role: "assistant", type: "message", end: true };
const code = { role: "assistant", type: "code", format: "python", start: true };
const healthy = [start, text, end];

/** The number of guards of tests that count to many. */
const many = Number(process.env.GUARDS ?? 300);

const here = fileURLToPath(new URL(".", import.meta.url));
const onLinux = { skip: process.platform !== "linux" && "needs /proc" };

/** Returns the children of this process, on Linux. */
function children() {
  return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

/** Waits until something holds. */
async function eventually(holds, what) {
  for (let i = 0; i < 400; i++) {
    if (holds()) return;
    await sleep(25);
  }
  assert.fail(what);
}

async function collect(iterable) {
  const all = [];
  for await (const item of iterable) all.push(item);
  return all;
}

/** Reads a guard until it throws. */
async function breaking(iterable) {
  const passed = [];
  try {
    for await (const item of iterable) passed.push(item);
  } catch (error) {
    return { passed, error };
  }
  return assert.fail("the guard threw nothing");
}

/** Runs something with another program. */
async function withProgram(path, run) {
  process.env.LMCLINT_BINARY = path;
  try {
    await run();
  } finally {
    delete process.env.LMCLINT_BINARY;
  }
}

test("a healthy stream passes unchanged", async () => {
  const passed = await collect(guard(healthy));
  assert.equal(passed.length, 3);
  passed.forEach((chunk, i) => assert.equal(chunk, healthy[i], "the same object"));
});

test("the chunk that breaks the protocol does not pass", async () => {
  const { passed, error } = await breaking(guard([start, text, code, text]));
  assert.deepEqual(passed, [start, text]);
  assert.ok(error instanceof ConformanceError);
  assert.equal(error.chunk, 2);
  assert.deepEqual(error.findings.map((f) => [f.rule, f.record, f.severity]), [["LMC202", 2, "error"]]);
  assert.match(error.message, /<input>:3:1[^]*LMC202|LMC202[^]*<input>:3:1/);
});

test("the producer is asked for a chunk only when the one before has passed", async () => {
  let produced = 0;
  let left = false;
  async function* chunks() {
    try {
      for (const chunk of [start, text, code, text]) {
        produced++;
        yield chunk;
      }
    } finally {
      left = true;
    }
  }
  let passed = 0;
  await assert.rejects(async () => {
    for await (const _ of guard(chunks())) assert.equal(produced, ++passed);
  }, ConformanceError);
  assert.equal(produced, 3);
  assert.ok(left, "the producer was ended");
});

test("what the end of the stream shows is thrown after the last chunk", async () => {
  const { passed, error } = await breaking(guard([start, text]));
  assert.deepEqual(passed, [start, text]);
  assert.deepEqual([error.chunk, error.findings[0].rule], [-1, "LMC203"]);
});

test("stopOn decides which findings stop", async () => {
  const empty = [start, end]; // a block without content: a warning
  const found = [];
  assert.equal((await collect(guard(empty, { onFinding: (f) => found.push(f) }))).length, 2);
  assert.deepEqual(found.map((f) => [f.rule, f.severity]), [["LMC207", "warning"]]);
  assert.equal((await breaking(guard(empty, { stopOn: "warning" }))).error.findings[0].rule, "LMC207");
  assert.equal((await breaking(guard(empty, { stopOn: "note" }))).error.findings[0].rule, "LMC207");
  assert.equal((await collect(guard([start, code], { stopOn: "never" }))).length, 2);
  assert.equal((await collect(guard([start, text], { ignore: ["LMC203"] }))).length, 2);
});

test("an empty stream starts no process", async () => {
  await withProgram("/nonexistent/lmclint", async () => {
    assert.deepEqual(await collect(guard([])), []);
    await assert.rejects(collect(guard(healthy)), (e) => e instanceof CheckError && /cannot be started/.test(e.message));
  });
});

test("an error of the producer passes unchanged", onLinux, async () => {
  const own = new Error("own");
  async function* chunks() {
    yield start;
    throw own;
  }
  const { passed, error } = await breaking(guard(chunks()));
  assert.deepEqual(passed, [start]);
  assert.equal(error, own);
  await eventually(() => children().length === 0, "the process remains");
});

for (const [name, leave] of Object.entries({
  break: async (g) => { for await (const _ of g) break; },
  return: async (g) => { await g.next(); await g.return(); },
  throw: async (g) => { await g.next(); await g.throw(new Error("own")).catch(() => {}); },
})) {
  test(`${name} ends the process and the producer`, onLinux, async () => {
    let left = false;
    async function* chunks() {
      try { yield* healthy; } finally { left = true; }
    }
    const g = guard(chunks());
    await leave(g);
    assert.ok(left);
    assert.deepEqual(await g.next(), { value: undefined, done: true });
    await eventually(() => children().length === 0, "the process remains");
  });
}

test("several calls of next at once are answered in order", async () => {
  const g = guard(healthy);
  const results = await Promise.all([g.next(), g.next(), g.next(), g.next()]);
  assert.deepEqual(results.map((r) => r.value), [...healthy, undefined]);
});

test("what JSON cannot represent is named", async () => {
  const circular = {};
  circular.self = circular;
  for (const [chunk, message] of [
    [undefined, /chunk 1 is undefined/], [{ n: 1n }, /chunk 1 cannot .*BigInt/i],
    [circular, /chunk 1 cannot .*circular/i], [() => 1, /chunk 1 is function/],
  ]) {
    const { passed, error } = await breaking(guard([start, chunk, text]));
    assert.equal(passed.length, 1);
    assert.ok(error instanceof TypeError);
    assert.match(error.message, message);
  }
});

test("chunks that are no objects are findings", async () => {
  for (const chunk of ["text", 1, null, [], true]) {
    const { error } = await breaking(guard([start, chunk]));
    assert.deepEqual([error.name, error.chunk], ["ConformanceError", 1], String(chunk));
  }
});

test("keys that are undefined are left out, as JSON.stringify does", async () => {
  assert.equal((await collect(guard([{ ...start, end: undefined }, text, end]))).length, 3);
});

test("any text passes", async () => {
  const texts = ["\u2028\u2029", "line\nbreak\r\n", "\ud800", "😀".repeat(1000), "\u0000\u001b[31m", "</script>"];
  const chunks = [start, ...texts.map((content) => ({ ...text, content })), end];
  const found = [];
  assert.deepEqual(await collect(guard(chunks, { stopOn: "never", onFinding: (f) => found.push(f.rule) })), chunks);
  assert.ok(!found.includes("LMC001"));
});

test("a huge chunk passes, and one beyond the limit does not", async () => {
  const huge = { ...text, content: "a".repeat(30 << 20) };
  assert.equal((await collect(guard([start, huge, huge, end]))).length, 4);
  const { error } = await breaking(guard([start, huge, end], { maxRecordBytes: 1 << 20 }));
  assert.deepEqual([error.chunk, error.findings[0].rule], [1, "LMC006"]);
});

test("wrong options are reported before anything is read", () => {
  for (const [options, message] of [
    [{ stopOn: "fatal" }, /stopOn is fatal/], [{ stopon: "error" }, /unknown option "stopon"/], [{ dialect: 1 }, /dialect is a number/],
    [{ select: "LMC2" }, /select is not a list/], [{ autoRun: "yes" }, /autoRun is a string/],
  ]) {
    assert.throws(() => guard(healthy, options), (e) => e instanceof TypeError && message.test(e.message));
  }
});

test("a rule that does not exist is an error", async () => {
  await assert.rejects(collect(guard(healthy, { select: ["LMC999"] })), (e) => e instanceof CheckError && /LMC999/.test(e.message));
});

test("a killed process is an error", onLinux, async () => {
  const g = guard([start, text, text, text, end]);
  await g.next();
  const [pid] = children();
  assert.ok(pid > 1);
  process.kill(pid, "SIGKILL");
  await assert.rejects(collect(g), (e) => e instanceof CheckError && /SIGKILL/.test(e.message));
});

test("a process that ends without an answer is an error, also amid a huge chunk", onLinux, async () => {
  for (const program of ["/bin/true", "/bin/false"]) {
    await withProgram(program, async () => {
      for (const chunk of [start, { ...text, content: "a".repeat(8 << 20) }]) {
        await assert.rejects(collect(guard([chunk, chunk])), CheckError);
      }
    });
  }
});

test("a guard is aborted", async () => {
  const aborter = new AbortController();
  const g = guard(healthy, { signal: aborter.signal });
  await g.next();
  aborter.abort();
  await assert.rejects(g.next(), { name: "AbortError" });
  await assert.rejects(collect(guard(healthy, { signal: aborter.signal })), { name: "AbortError" });
});

test("an open guard does not keep the process alive, nor the program after it", onLinux, async () => {
  const head = `import { guard } from "lmclint";
    import { readFileSync } from "node:fs";
    async function* chunks() { yield ${JSON.stringify(start)}; await new Promise(() => {}); }
    const g = guard(chunks()); await g.next();
    console.log(readFileSync("/proc/self/task/" + process.pid + "/children", "utf8").trim());`;
  for (const [tail, status] of [
    ["", 0], ["process.exit(3)", 3], ["process.kill(process.pid, 'SIGKILL')", null], ["g.next(); setTimeout(() => process.exit(4), 50)", 4],
  ]) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", head + tail], { stdio: ["ignore", "pipe", "inherit"], cwd: here });
    let pid = "";
    child.stdout.setEncoding("utf8").on("data", (s) => (pid += s));
    const [status_] = await once(child, "close");
    assert.equal(status_, status, tail);
    assert.ok(Number(pid) > 1, tail);
    await eventually(() => gone(Number(pid)), `the program remains after ${tail || "the end"}`);
  }
});

function gone(pid) {
  try {
    return /\nState:\tZ/.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return true;
  }
}

test("a guard that is abandoned is ended when it is collected", onLinux, async () => {
  const script = `import { guard } from "lmclint";
    import { readFileSync } from "node:fs";
    const children = () => readFileSync("/proc/self/task/" + process.pid + "/children", "utf8").trim();
    async function abandon() { const g = guard(${JSON.stringify(healthy)}); await g.next(); }
    await abandon();
    if (children() === "") throw new Error("nothing was started");
    for (let i = 0; i < 200 && children() !== ""; i++) { gc(); await new Promise((r) => setTimeout(r, 25)); }
    console.log(children() === "" ? "ended" : "remains");`;
  assert.equal(execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", script], { encoding: "utf8", cwd: here }).trim(), "ended");
});

test(`${many} guards leave no process, pipe or memory`, onLinux, async () => {
  let next = 0;
  async function worker() {
    for (let i = next++; i < many; i = next++) {
      switch (i % 4) {
        case 0: assert.equal((await collect(guard(healthy))).length, 3); break;
        case 1: for await (const _ of guard(healthy)) break; break;
        case 2: await assert.rejects(collect(guard([start, code])), ConformanceError); break;
        case 3: { const g = guard(healthy); await g.next(); await g.return(); break; }
      }
    }
  }
  await Promise.all(Array.from({ length: 4 }, worker));
  await eventually(() => children().length === 0, "processes remain");
  const open = process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap" || name === "PipeWrap");
  assert.ok(open.length <= 3, `${open}`);
  assert.ok(process.memoryUsage().heapUsed < 300 << 20);
});
