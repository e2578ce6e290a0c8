// Compiled, not run: the types of the API.

import { check, CheckError, ConformanceError, guard, record, Report, type Finding, type Input, type StreamOptions } from "lmclint";
import { check as checkHere, guard as guardHere, init, Linter } from "lmclint/wasm";

interface Chunk {
  role: string;
  content?: string;
}
declare const produced: AsyncIterable<Chunk>;

async function node(): Promise<void> {
  for await (const chunk of guard(produced, { stopOn: "warning", dialect: "server", onFinding: (f: Finding) => f.rule })) {
    const role: string = chunk.role;
    void role;
    // @ts-expect-error: chunks keep their type
    chunk.none;
  }
  for await (const n of guard([1, 2])) n.toFixed();
  for await (const chunk of record(produced, new URL("file:///a"), { append: true })) chunk.role.trim();
  const inputs: Input[] = ["a.json", new URL("file:///a"), new Uint8Array(), { path: "a" }, { text: "" }, [], produced];
  for (const input of inputs) {
    const report: Report = await check(input, { select: ["LMC2"], against: input, config: false, signal: AbortSignal.timeout(1) });
    const line: number | undefined = report.findings[0]?.line;
    void [line, report.ok, report.summary.errors, String(report)];
  }
  const options: StreamOptions = {};
  void options;
  // @ts-expect-error: an unknown option
  await check("a", { dialekt: "docs" });
  // @ts-expect-error: an unknown severity
  guard(produced, { stopOn: "fatal" });
  // @ts-expect-error: a number is no input
  await check(1);
  try {
    await node();
  } catch (error) {
    if (error instanceof ConformanceError) void [error.findings[0]?.message, error.chunk];
    if (error instanceof CheckError) void error.report?.files;
  }
}

async function wasm(): Promise<void> {
  await init();
  await init(new Uint8Array());
  await init(fetch("https://example.com/lmclint.wasm"));
  const report = checkHere("", { kind: "stream" });
  void report.ok;
  const linter = new Linter({ dialect: "docs" });
  const findings: Finding[] = linter.push({ role: "user" });
  void [findings, linter.end(), linter.summary?.records];
  linter.close();
  for await (const chunk of guardHere(produced)) chunk.role;
  // @ts-expect-error: files are not read
  checkHere({ path: "a" });
}

void [node, wasm];
