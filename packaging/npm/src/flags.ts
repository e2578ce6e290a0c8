// The flags of the program for options.

import type { Options } from "./options.js";

/** Options of the program that WebAssembly does not have. */
export interface ProgramOptions extends Options {
  /**
   * The configuration file. By default it is the nearest .lmclint.yaml, as on
   * the command line; false reads none.
   */
  readonly config?: string | false;
  /** The directory of relative paths. */
  readonly cwd?: string;
  /** Ends the check. */
  readonly signal?: AbortSignal;
}

const kinds = {
  text: ["protocol", "kind", "form", "dialect"],
  flag: ["autoRun", "partial", "allowEmpty"],
  list: ["select", "extendSelect", "ignore"],
} as const;

/** The names of all options that flagsOf reads. */
const known = new Set<string>([...kinds.text, ...kinds.flag, ...kinds.list, "path", "maxRecordBytes", "config", "cwd", "signal"]);

/** Returns the flags for options. It throws a TypeError for one of a wrong type. Besides names options that the caller reads. */
export function flagsOf(options: ProgramOptions, besides: readonly string[]): string[] {
  const given = options as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(given)) {
    if (!known.has(name) && !besides.includes(name)) throw new TypeError(`unknown option ${JSON.stringify(name)}`);
  }
  const flags: string[] = [];
  const add = (name: string, value: unknown): void => {
    flags.push(`--${name.replace(/[A-Z]/g, (c) => "-" + c.toLowerCase())}=${String(value)}`);
  };
  for (const name of kinds.text) {
    if (has(given, name, "string")) add(name, given[name]);
  }
  for (const name of kinds.flag) {
    if (has(given, name, "boolean")) add(name, given[name]);
  }
  for (const name of kinds.list) {
    const list = given[name];
    if (list === undefined) continue;
    if (!Array.isArray(list) || !list.every((item) => typeof item === "string")) throw new TypeError(`${name} is not a list of strings`);
    for (const item of list) add(name, item);
  }
  if (has(given, "maxRecordBytes", "number")) add("maxRecordBytes", given.maxRecordBytes);
  flags.push(`--stdin-filename=${has(given, "path", "string") ? String(given.path) : "<input>"}`);
  if (given.config === false) flags.push("--isolated");
  else if (has(given, "config", "string")) add("config", given.config);
  return flags;
}

function has(given: Readonly<Record<string, unknown>>, name: string, type: "string" | "boolean" | "number"): boolean {
  const value = given[name];
  if (value === undefined) return false;
  if (typeof value !== type) throw new TypeError(`${name} is ${value === null ? "null" : `a ${typeof value}`}, expected a ${type}`);
  return true;
}
