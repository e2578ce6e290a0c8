// Checks a whole input.

import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";

import { Child } from "./child.js";
import { flagsOf, type ProgramOptions } from "./flags.js";
import { partsOf, resolveInput, type Input } from "./input.js";
import { CheckError, Report, type ReportData } from "./report.js";

/** Options of a check. */
export interface CheckOptions extends ProgramOptions {
  /** The stored conversation that a stream is compared with. */
  readonly against?: Input;
}

/**
 * Checks a file, a directory, a text, bytes, or records that are iterated. It
 * throws a CheckError if the result cannot be trusted, such as for a missing
 * file or an input of an unknown protocol, and a TypeError for wrong options.
 */
export async function check(source: Input, options: CheckOptions = {}): Promise<Report> {
  const flags = flagsOf(options, ["against"]);
  const input = resolveInput(source, "the input");
  options.signal?.throwIfAborted();
  const against = options.against === undefined ? undefined : await stored(options.against);
  try {
    if (against !== undefined) flags.push(`--against=${against.path}`);
    const operand = "path" in input ? input.path : "-";
    return await run([...flags, "--", operand], options, "write" in input ? input.write : undefined);
  } finally {
    await against?.release();
  }
}

async function run(args: string[], options: CheckOptions, write: ((child: Child) => Promise<void>) | undefined): Promise<Report> {
  const output: string[] = [];
  const child = new Child(["check", "--format=json", "--rendered", "--quiet", "--color=never", ...args], options, (text) => output.push(text));
  try {
    const written = write?.(child);
    written?.catch(() => {}); // it may fail after the program has ended
    await Promise.race([written, child.ended]);
  } catch (error) {
    child.kill();
    await child.ended;
    throw error;
  }
  child.closeInput();
  const end = await child.ended;
  options.signal?.throwIfAborted();
  const report = parse(output.join(""));
  if (end.status !== null && end.status <= 1 && report !== undefined) return new Report(report);
  const failed = report?.files.find((f) => f.failure !== undefined);
  if (failed !== undefined) throw new CheckError(`${failed.path}: ${failed.failure}`, new Report(report!));
  throw child.failure(end, report);
}

/** Returns the report, undefined if there is none. */
function parse(text: string): ReportData | undefined {
  try {
    return JSON.parse(text) as ReportData;
  } catch {
    return undefined;
  }
}

/** A file with a conversation. */
interface Stored {
  readonly path: string;
  release(): Promise<void>;
}

/** Returns the file of a conversation; one that is not a file gets a temporary one. */
async function stored(input: Input): Promise<Stored> {
  const resolved = resolveInput(input, "against");
  if ("path" in resolved) return { path: resolved.path, release: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "lmclint-"));
  const release = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, "against.json");
    await writeTo(path, input);
    return { path, release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function writeTo(path: string, input: Input): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600 });
  const failed = once(file, "close"); // rejects with an error of the file
  failed.catch(() => {});
  const text = typeof input === "string" || input instanceof Uint8Array ? input : "text" in input ? input.text : undefined;
  try {
    if (text !== undefined) {
      file.write(text);
    } else {
      for await (const part of partsOf(input as Iterable<unknown> | AsyncIterable<unknown>)) {
        if (!file.write(part)) await Promise.race([once(file, "drain"), failed]);
      }
    }
  } finally {
    file.end();
    await failed;
  }
}
