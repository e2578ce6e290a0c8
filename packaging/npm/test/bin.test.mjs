import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import test from "node:test";

const bin = fileURLToPath(new URL("./bin.js", import.meta.resolve("lmclint")));
const start = '{"role": "assistant", "type": "message", "start": true}\n';
const text = '{"role": "assistant", "type": "message", "content": "a"}\n';
const end = '{"role": "assistant", "type": "message", "end": true}\n';
const onPosix = { skip: process.platform === "win32" && "signals" };

const run = (args, input = "") => spawnSync(process.execPath, [bin, ...args], { input, encoding: "utf8" });

test("arguments, standard streams and exit statuses are those of the program", () => {
  assert.match(run(["version"]).stdout, /^lmclint v?\d/);
  assert.deepEqual([run(["check", "-"], start + text + end).status, run(["check", "-"], start).status, run(["--none"]).status], [0, 1, 2]);
  const found = run(["check", "--format", "concise", "--quiet", "-"], start);
  assert.match(found.stdout, /^<stdin>:1:1: error: .*\[LMC203 truncated-stream\].*\n$/);
  assert.equal(found.stderr, "");
  assert.match(run(["--none"]).stderr, /unknown flag/);
});

test("npx finds the command", () => {
  const npx = spawnSync("npx", ["--no-install", "lmclint", "version"], { encoding: "utf8", shell: process.platform === "win32" });
  assert.match(npx.stdout, /^lmclint v?\d/, npx.stderr);
});

for (const [signal, status] of [["SIGTERM", 143], ["SIGINT", 130]]) {
  test(`${signal} ends the program, which reports what it knows`, onPosix, async () => {
    const child = spawn(process.execPath, [bin, "check", "--format", "concise", "-"], { stdio: "pipe" });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
    child.stdin.write(start + start);
    while (!out.includes("LMC202")) await once(child.stdout, "data");
    child.kill(signal);
    const [code, by] = await once(child, "close");
    assert.deepEqual([code, by], [status, null]);
  });
}

test("a program that is killed kills its caller", { skip: process.platform !== "linux" && "needs /proc" }, async () => {
  const child = spawn(process.execPath, [bin, "check", "-"], { stdio: ["pipe", "inherit", "inherit"] });
  let pid = NaN;
  while (!(pid > 1)) {
    await sleep(20);
    pid = parseInt(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8"));
  }
  process.kill(pid, "SIGKILL");
  assert.deepEqual(await once(child, "close"), [null, "SIGKILL"]);
});

test("without the package of the platform, the command says what to do", () => {
  const copy = mkdtempSync(join(tmpdir(), "bin-"));
  try {
    cpSync(join(dirname(bin), ".."), join(copy, "node_modules/lmclint"), { recursive: true });
    const alone = spawnSync(process.execPath, [join(copy, "node_modules/lmclint/lib/bin.js"), "version"], { encoding: "utf8" });
    assert.equal(alone.status, 2);
    assert.match(alone.stderr, /^lmclint: the package @lmclint\/.* is not installed.*--omit=optional/);
  } finally {
    rmSync(copy, { recursive: true });
  }
});

test("a program that cannot be started is reported", () => {
  const wrong = spawnSync(process.execPath, [bin], { encoding: "utf8", env: { ...process.env, LMCLINT_BINARY: "/nonexistent/lmclint" } });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^lmclint: .*ENOENT/);
});
