// A process of the program.

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import type { Socket } from "node:net";

import { program } from "./program.js";
import { CheckError, Report, type ReportData } from "./report.js";

/** How a process ended. */
export interface End {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly error?: Error;
}

/** Where a process runs, and how it is ended. */
export interface ChildOptions {
  readonly cwd?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How much of standard error is kept, in characters. */
const maxMessages = 64 << 10;

/** A running program. No event of it can end this process. */
export class Child {
  /** Resolves when the program has ended and its output was read. */
  readonly ended: Promise<End>;
  #end: End | undefined;
  #messages = "";
  readonly #process: ChildProcessWithoutNullStreams;

  /** Starts the program. What it prints is given to onOutput. */
  constructor(args: readonly string[], options: ChildOptions, onOutput: (text: string) => void) {
    this.#process = spawn(program(), args, {
      stdio: "pipe",
      cwd: options.cwd,
      windowsHide: true,
      // A process group of its own: Ctrl-C is for this process. When this
      // process ends, the program reads the end of its input, and ends, too.
      detached: process.platform !== "win32",
    });
    const { stdin, stdout, stderr } = this.#process;
    stdin.on("error", () => {}); // the program has ended, which ended says
    stdout.setEncoding("utf8").on("data", onOutput).on("error", () => {});
    stderr.setEncoding("utf8").on("error", () => {}).on("data", (text: string) => {
      if (this.#messages.length < maxMessages) this.#messages += text;
    });
    this.ended = new Promise((resolve) => {
      let error: Error | undefined;
      this.#process.on("error", (cause) => {
        error = cause;
        if (this.#process.pid === undefined) resolve((this.#end = { status: null, signal: null, error: cause }));
      });
      this.#process.on("close", (status, signal) => resolve((this.#end ??= { status, signal, ...(error && { error }) })));
    });
    const { signal } = options;
    if (signal !== undefined) {
      const abort = (): void => this.kill();
      signal.addEventListener("abort", abort, { once: true });
      void this.ended.then(() => signal.removeEventListener("abort", abort));
      if (signal.aborted) abort();
    }
  }

  /** Whether ended has resolved, or is about to. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Writes to the program, and waits while it has too much to read. False says that it has ended. */
  async write(text: string | Uint8Array): Promise<boolean> {
    const { stdin } = this.#process;
    if (this.#end !== undefined || stdin.destroyed || stdin.writableEnded) return false;
    if (stdin.write(text)) return true;
    return new Promise((resolve) => {
      const settle = (): void => {
        stdin.off("drain", settle).off("close", settle);
        resolve(!stdin.destroyed);
      };
      stdin.on("drain", settle).on("close", settle);
    });
  }

  /** Ends the input of the program. */
  closeInput(): void {
    this.#process.stdin.end();
  }

  /** Ends the program. */
  kill(): void {
    if (this.#end !== undefined) return;
    this.#process.kill("SIGKILL");
    for (const stream of [this.#process.stdin, this.#process.stdout, this.#process.stderr]) stream.destroy();
  }

  /** Sets whether the program keeps this process alive. */
  hold(on: boolean): void {
    const { stdin, stdout, stderr } = this.#process;
    for (const handle of [this.#process, stdin, stdout, stderr] as unknown as Pick<Socket, "ref" | "unref">[]) {
      if (on) handle.ref();
      else handle.unref();
    }
  }

  /** Why the result of the program cannot be trusted, given how it ended. */
  failure(end: End, report?: ReportData): CheckError {
    const known = report && new Report(report);
    if (end.error !== undefined) return new CheckError(`lmclint cannot be started: ${end.error.message}`, known, { cause: end.error });
    if (end.signal !== null) return new CheckError(`lmclint was ended by ${end.signal}`, known);
    const said = this.#messages.trim().replace(/^lmclint: /gm, "");
    return new CheckError(said || `lmclint ended with status ${end.status}`, known);
  }
}
