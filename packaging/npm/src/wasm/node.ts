// lmclint/wasm where node:fs is available: in Node, Deno and Bun.

import { readFile } from "node:fs/promises";

import type { Source } from "./host.js";
import { initialize } from "./linter.js";

export * from "./index.js";

/** Loads lmclint, once: from the package without a source, and from files, too. */
export async function init(source?: Source | Promise<Source>): Promise<void> {
  await initialize(async () => {
    const from = (await source) ?? new URL("./lmclint.wasm", import.meta.url);
    return from instanceof URL && from.protocol === "file:" ? readFile(from) : from;
  });
}
