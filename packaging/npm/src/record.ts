// Recordings: streams that are written to a file while they are consumed.

import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { lineOf, type Chunks } from "./guard.js";

/** Options of a recording. */
export interface RecordOptions {
  /**
   * Continue the file, as for the next turn of a conversation, instead of replacing it. A
   * last line that is unfinished, as a full disk leaves it, is ended first.
   */
  readonly append?: boolean;
}

/**
 * Yields each chunk of a stream after writing it to a file as a line of JSON. The
 * line is passed to the operating system before, so that a killed program loses
 * nothing that its consumer saw. An error of the stream is written as a last record
 * of role server and type error, as the server of Open Interpreter sends it, and
 * thrown again. A consumer that stops reading, or that aborts the stream, ends the recording.
 *
 * The file is opened before the first chunk is requested.
 */
export async function* record<T>(chunks: Chunks<T>, path: string | URL, options: RecordOptions = {}): AsyncGenerator<T, void, undefined> {
  const unfinished = options.append === true && isUnfinished(path);
  const file = openSync(path, options.append === true ? "a" : "w");
  let number = 0;
  let failsHere = false; // rather than in the stream
  try {
    if (unfinished) {
      failsHere = true;
      write(file, "");
      failsHere = false;
    }
    for await (const chunk of chunks) {
      failsHere = true;
      write(file, lineOf(chunk, `chunk ${number++}`));
      yield chunk;
      failsHere = false;
    }
  } catch (error) {
    if (!failsHere && !isAbort(error)) {
      const content = error instanceof Error ? (error.stack ?? String(error)) : String(error);
      write(file, JSON.stringify({ role: "server", type: "error", content }));
    }
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Tells whether an error is that of a consumer, which aborted the stream. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** Tells whether a file has a last line without its end. */
function isUnfinished(path: string | URL): boolean {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined || !info.isFile() || info.size === 0) return false;
  const file = openSync(path, "r");
  try {
    const last = Buffer.alloc(1);
    readSync(file, last, 0, 1, info.size - 1);
    return last.toString() !== "\n";
  } finally {
    closeSync(file);
  }
}

/** Writes a line whole: a pipe or a full disk may take a part of it. */
function write(file: number, line: string): void {
  const bytes = Buffer.from(line + "\n");
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
