// The guard around a stream, for whatever judges its chunks.

import { ConformanceError, reaches, type Finding, type Severity } from "./report.js";

/** Options of a guard besides those of the check. */
export interface GuardOptions {
  /** Throw at a finding of this severity or above; "error" is the default. */
  readonly stopOn?: Severity | "never";
  /** Called with each finding, before the chunk is yielded or the guard throws. */
  readonly onFinding?: (finding: Finding) => void;
}

/** What judges the chunks of one stream. */
export interface Judge {
  /** Returns the findings that a chunk decides. */
  push(chunk: unknown): Finding[] | Promise<Finding[]>;
  /** Returns the findings that the end of the stream decides. */
  end(): Finding[] | Promise<Finding[]>;
  /** Releases what the judge holds, before or after the end. */
  close(): void;
}

/** Chunks, as they are produced. */
export type Chunks<T> = AsyncIterable<T> | Iterable<T>;

/**
 * Yields each chunk once it is judged. The next chunk is not requested before:
 * a producer may run code when it is asked for more. Chunks are not changed.
 */
export async function* guarded<T>(chunks: Chunks<T>, judge: Judge, options: GuardOptions): AsyncGenerator<T, void, undefined> {
  const stop = (findings: Finding[], chunk: number): void => {
    for (const finding of findings) options.onFinding?.(finding);
    if (findings.some((f) => reaches(f, options.stopOn ?? "error"))) throw new ConformanceError(findings, chunk);
  };
  try {
    let number = 0;
    for await (const chunk of chunks) {
      stop(await judge.push(chunk), number++);
      yield chunk;
    }
    stop(await judge.end(), -1);
  } finally {
    judge.close();
  }
}

/** Fails at once for options that a guard would only reject at its first chunk. */
export function checkGuardOptions(options: GuardOptions): void {
  const stopOn: unknown = options.stopOn ?? "error";
  if (typeof stopOn !== "string" || !["error", "warning", "note", "never"].includes(stopOn)) {
    throw new TypeError(`stopOn is ${String(stopOn)}, expected error, warning, note or never`);
  }
}

/** Returns a value as one line of JSON. What it is, as in "chunk 3", is for errors. */
export function lineOf(value: unknown, what: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new TypeError(`${what} cannot be written as JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (text === undefined) throw new TypeError(`${what} is ${typeof value}, which JSON cannot represent`);
  return text;
}
