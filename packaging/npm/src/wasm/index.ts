// lmclint as WebAssembly, for browsers, Deno and edge runtimes. It reads text
// only: no files, archives, compressed input or configuration.

import type { Source } from "./host.js";
import { initialize } from "./linter.js";

export type { Chunks, GuardOptions } from "../guard.js";
export type { Options } from "../options.js";
export { CheckError, ConformanceError, describe, Report } from "../report.js";
export type { Edit, File, Finding, Fix, Place, Related, ReportData, Severity, Summary } from "../report.js";
export type { Source } from "./host.js";
export { check, guard, Linter, type CheckOptions } from "./linter.js";

/**
 * Loads lmclint, once: later calls wait for the first one. Without a source it
 * fetches lmclint.wasm from beside this module. A source is the bytes of that
 * file, a compiled module, a response, or an address to fetch.
 */
export async function init(source?: Source | Promise<Source>): Promise<void> {
  await initialize(() => source ?? new URL("./lmclint.wasm", import.meta.url));
}
