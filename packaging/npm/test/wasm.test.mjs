import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import test from "node:test";

const globals = new Set(Object.getOwnPropertyNames(globalThis));
const { check, CheckError, ConformanceError, guard, init, Linter, Report } = await import("lmclint/wasm");

const file = createRequire(import.meta.url).resolve("lmclint/lmclint.wasm");
const bytes = readFileSync(file);
const here = fileURLToPath(new URL(".", import.meta.url));

const start = { role: "assistant", type: "message", start: true };
const text = { role: "assistant", type: "message", content: "a" };
const end = { role: "assistant", type: "message", end: true };
const code = { role: "assistant", type: "code", format: "python", start: true };
const healthy = [start, text, end];
const lines = (chunks) => chunks.map((c) => JSON.stringify(c) + "\n").join("");
const rules = (findings) => findings.map((f) => f.rule);

/** Runs a module in a process of its own, where nothing is loaded. */
function fresh(script, ...flags) {
  return execFileSync(process.execPath, [...flags, "--input-type=module", "-e", script], { encoding: "utf8", cwd: here });
}

async function collect(iterable) {
  const all = [];
  for await (const item of iterable) all.push(item);
  return all;
}

test("it must be loaded first", () => {
  assert.throws(() => check("{}"), /await init\(\)/);
  assert.throws(() => new Linter(), /await init\(\)/);
});

test("what is no program of lmclint is refused, and another attempt succeeds", async () => {
  await assert.rejects(init(new Uint8Array([1, 2, 3])), WebAssembly.CompileError);
  await assert.rejects(init(Promise.reject(new Error("own"))), /own/);
  const empty = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  await assert.rejects(init(empty), /did not start/);
  await Promise.all([init(), init(), init(bytes)]);
  await init();
});

test("it is loaded from bytes, a module, a file, a response and an address", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/none.wasm") response.statusCode = 404;
    if (request.url === "/typed.wasm") response.setHeader("content-type", "application/wasm");
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  try {
    const run = (source) => {
      // A module of its own for each, as the first call decides.
      const script = `import { readFileSync } from "node:fs"; import { init, check } from "lmclint/wasm";
        const bytes = () => readFileSync(${JSON.stringify(file)});
        await init(${source}); console.log(check("{}\\n", { kind: "stream" }).files[0].records);`;
      return new Promise((resolve) => {
        execFile(process.execPath, ["--input-type=module", "-e", script], { cwd: here }, (error, out, err) => resolve(error ? err : out.trim()));
      });
    };
    for (const source of ["", "bytes()", "new WebAssembly.Module(bytes())", "WebAssembly.compile(bytes())",
      `new URL(${JSON.stringify(pathToFileURL(file).href)})`, `fetch("${address}/a.wasm")`, `fetch("${address}/typed.wasm")`, `"${address}/typed.wasm"`, `new URL("${address}/a.wasm")`]) {
      assert.equal(await run(source), "1", source);
    }
    assert.match(await run(`"${address}/none.wasm"`), /status 404/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("no global is changed", () => {
  assert.deepEqual(Object.getOwnPropertyNames(globalThis).filter((name) => !globals.has(name)), []);
});

test("it starts without a global crypto, as in Node 18, and lets the process end", () => {
  const script = `Object.defineProperty(globalThis, "crypto", { value: undefined });
    const { init, check } = await import("lmclint/wasm");
    await init(); console.log(check("{}\\n", { kind: "stream" }).files[0].records);`;
  assert.equal(fresh(script).trim(), "1");
});

test("check gives the JSON report", () => {
  const report = check(lines([start, text]), { path: "a.jsonl" });
  assert.ok(report instanceof Report);
  assert.deepEqual([report.version, report.ok, report.summary.errors, report.files[0].kind], [2, false, 1, "stream"]);
  assert.deepEqual(rules(report.findings), ["LMC203"]);
  assert.match(String(report), /^a\.jsonl:2:1: error: .*\[LMC203 truncated-stream\]\n1 error in 2 records$/);
  assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(report))), ["version", "tool", "files", "findings", "summary"]);
  assert.ok(check(lines(healthy)).ok);
});

test("check takes text and bytes", () => {
  const data = new TextEncoder().encode(lines([start, text]));
  for (const input of [lines([start, text]), data, data.buffer, new DataView(data.buffer), Buffer.from(data)]) {
    assert.deepEqual(rules(check(input).findings), ["LMC203"]);
  }
  for (const input of [undefined, null, 1, {}, []]) assert.throws(() => check(input), TypeError);
});

test("text of any kind is reported, or refused with what was found", () => {
  for (const input of ["\ud800", "\u0000", '{"role": "\ud800"}\n', "[".repeat(100_000), "\uffff{"]) {
    let report;
    try {
      report = check(input, { kind: "stream" });
    } catch (error) {
      assert.ok(error instanceof CheckError && !input.startsWith("{"), error); // only what is no JSON
      report = error.report;
    }
    assert.ok(report.findings.length > 0);
  }
});

test("an input that cannot be checked throws, with its report", () => {
  assert.throws(() => check('{"jsonrpc": "2.0", "method": "ping"}'), (e) => e instanceof CheckError && /JSON-RPC/.test(e.message) && e.report.summary.incomplete);
  assert.throws(() => check(new Uint8Array([0x1f, 0x8b, 8, 0])), (e) => e instanceof CheckError && /gzip data .* decompress/.test(e.message));
  for (const [input, rule, words] of [["", "LMC011", /no records/], [new Uint8Array([0xff, 0xfe, 0x7b]), "LMC002", /UTF-16/]]) {
    assert.throws(() => check(input), (e) => e instanceof CheckError && words.test(e.message) && e.report.findings[0].rule === rule);
  }
  assert.equal(check("", { allowEmpty: true }).ok, true);
});

test("wrong options throw", () => {
  for (const options of [{ dialekt: "docs" }, { dialect: "none" }, { kind: 1 }, { select: ["LMC999"] }, { against: "{" }, { against: [1n] }, { path: 1n }, null]) {
    assert.throws(() => check("{}", options), TypeError);
    assert.throws(() => new Linter(options), TypeError);
  }
});

test("a wrong call leaves the program as it was", () => {
  const linter = new Linter();
  linter.push(start);
  assert.throws(() => check("{}", { against: [1n] }), TypeError);
  assert.deepEqual(linter.push(text), []);
  linter.close();
});

test("options reach the linter", () => {
  assert.ok(check(lines([start, text]), { ignore: ["LMC203"] }).ok);
  assert.ok(check(lines([start, text]), { select: ["LMC1"] }).ok);
  assert.equal(check(lines(healthy), { dialect: "docs" }).files[0].dialect, "docs");
  const stored = [{ role: "assistant", type: "message", content: "b" }];
  for (const against of [stored, JSON.stringify(stored)]) assert.deepEqual(rules(check(lines(healthy), { against }).findings), ["LMC703"]);
});

test("a linter answers each chunk, and several do not meet", () => {
  const one = new Linter({ path: "one" });
  const two = new Linter({ path: "two", ignore: ["LMC202"] });
  for (const linter of [one, two]) for (const chunk of [start, text]) assert.deepEqual(linter.push(chunk), []);
  assert.deepEqual(one.push(code).map((f) => [f.rule, f.record, f.line, f.path]), [["LMC202", 2, 3, "one"]]);
  assert.deepEqual(two.push(code), []);
  assert.equal(one.summary, undefined);
  assert.deepEqual(rules(one.end()), ["LMC203"]);
  assert.deepEqual([one.summary.errors, one.summary.records, one.file.dialect], [2, 3, "interpreter"]);
  assert.throws(() => one.push(text), /has ended/);
  assert.throws(() => one.end(), /has ended/);
  one.close();
  two.close();
  two.close();
  assert.throws(() => two.push(text), /has ended/);
});

test("a chunk may be JSON text, or bytes, of one or more lines", () => {
  const linter = new Linter();
  linter.push(JSON.stringify(start));
  linter.push(new TextEncoder().encode(lines([text, text])));
  linter.push(lines([end]));
  linter.end();
  assert.deepEqual([linter.summary.records, linter.summary.errors], [4, 0]);
});

test("what JSON cannot represent throws, and the linter goes on", () => {
  const linter = new Linter();
  linter.push(start);
  for (const chunk of [undefined, 1n, () => 1]) assert.throws(() => linter.push(chunk), TypeError);
  const circular = {};
  circular.self = circular;
  assert.throws(() => linter.push(circular), /chunk 1 cannot/);
  for (const chunk of [text, end]) assert.deepEqual(linter.push(chunk), []);
  assert.deepEqual(linter.end(), []);
});

test("a huge chunk passes, and one beyond the limit is found", () => {
  const huge = { ...text, content: "a".repeat(20 << 20) };
  const linter = new Linter();
  for (const chunk of [start, huge, end]) assert.deepEqual(linter.push(chunk), []);
  linter.close();
  const limited = new Linter({ maxRecordBytes: 1 << 20 });
  limited.push(start);
  assert.deepEqual(rules(limited.push(huge)), ["LMC006"]);
  limited.close();
});

test("a guard stops before the wrong chunk, and frees its linter", async () => {
  assert.deepEqual(await collect(guard(healthy)), healthy);
  assert.deepEqual(await collect(guard([])), []);
  const passed = [];
  await assert.rejects(async () => {
    for await (const chunk of guard([start, text, code])) passed.push(chunk);
  }, (e) => e instanceof ConformanceError && e.chunk === 2 && e.findings[0].rule === "LMC202");
  assert.deepEqual(passed, [start, text]);
  await assert.rejects(collect(guard([start, "text"])), ConformanceError);
  for await (const _ of guard(healthy)) break;
  assert.throws(() => guard(healthy, { stopOn: "fatal" }), TypeError);
});

test("ten thousand linters leave no memory", () => {
  const script = `import { init, Linter } from "lmclint/wasm";
    await init();
    const size = () => process.memoryUsage().rss / 2 ** 20;
    const chunks = ${JSON.stringify([start, text])};
    const use = (n) => { for (let i = 0; i < n; i++) {
      const linter = new Linter({ path: String(i) });
      for (const chunk of chunks) linter.push(chunk);
      if (i % 2) linter.end(); else linter.close();
    } };
    use(2000);
    const before = size();
    use(8000);
    console.log(Math.round(size() - before));`;
  const grown = Number(fresh(script));
  assert.ok(grown < 60, `${grown} MiB`);
});

test("linters that are abandoned are freed when they are collected", () => {
  const script = `import { init, Linter } from "lmclint/wasm";
    await init();
    const size = () => process.memoryUsage().rss / 2 ** 20;
    const use = async () => { for (let i = 0; i < 2000; i++) {
      new Linter().push(${JSON.stringify(start)});
      if (i % 100 === 0) { gc(); await new Promise((r) => setTimeout(r)); }
    } };
    await use();
    const before = size();
    await use(); await use();
    console.log(Math.round(size() - before));`;
  const grown = Number(fresh(script, "--expose-gc"));
  assert.ok(grown < 60, `${grown} MiB`);
});
