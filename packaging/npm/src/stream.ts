// Guards a stream with a process of the program. docs/machine.md describes what
// the two say to each other.

import { Child } from "./child.js";
import { flagsOf, type ProgramOptions } from "./flags.js";
import { checkGuardOptions, guarded, lineOf, type Chunks, type GuardOptions, type Judge } from "./guard.js";
import { CheckError, type Finding } from "./report.js";

/** Options of a guard. The kind is "stream" unless it is "session". */
export interface StreamOptions extends Omit<ProgramOptions, "form">, GuardOptions {}

/** Guards that were neither read to the end nor left are ended when they are collected. */
const abandoned = new FinalizationRegistry<Judge>((judge) => judge.close());

/**
 * Yields each chunk of a stream once it is judged, and throws a ConformanceError
 * with the findings instead of the chunk that breaks the protocol. A process
 * runs from the first chunk until the guard ends, or is left by break, return or
 * throw. It throws a CheckError if that process fails.
 */
export function guard<T>(chunks: Chunks<T>, options: StreamOptions = {}): AsyncGenerator<T, void, undefined> {
  checkGuardOptions(options);
  const judge = new ProcessJudge(flagsOf({ ...options, kind: options.kind ?? "stream" }, ["stopOn", "onFinding"]), options);
  const generator = guarded(chunks, judge, options);
  abandoned.register(generator, judge);
  return generator;
}

/** A line of the program. */
type Line = Finding | { readonly judged: number } | { readonly summary: object } | { readonly file: object };

class ProcessJudge implements Judge {
  #child: Child | undefined;
  #closed = false;
  #pushed = 0;
  #judged = 0;
  #summarized = false;
  #rest: string[] = []; // of the line that has not ended
  #findings: Finding[] = [];
  #failed: CheckError | undefined;
  #wake: (() => void) | undefined; // while an answer is awaited

  constructor(
    readonly args: readonly string[],
    readonly options: StreamOptions,
  ) {}

  async push(chunk: unknown): Promise<Finding[]> {
    const line = lineOf(chunk, `chunk ${this.#pushed}`);
    const child = (this.#child ??= this.#start());
    this.#pushed++;
    void child.write(line + "\n"); // it is read before the answer comes
    return this.#answer(child, () => this.#judged === this.#pushed);
  }

  async end(): Promise<Finding[]> {
    const child = this.#child;
    if (child === undefined) return []; // a stream without chunks
    child.closeInput();
    return this.#answer(child, () => child.hasEnded && this.#summarized);
  }

  close(): void {
    this.#closed = true;
    this.#child?.kill();
  }

  #start(): Child {
    if (this.#closed) throw new CheckError("the guard was closed");
    this.options.signal?.throwIfAborted();
    const flags = ["check", "--format=jsonl", "--acknowledge", "--rendered", "--quiet", "--color=never"];
    const child = new Child([...flags, ...this.args, "-"], this.options, (text) => this.#read(text));
    void child.ended.then(() => this.#wake?.());
    return child;
  }

  /** Waits for an answer of the program, and returns the findings before it. */
  async #answer(child: Child, isComplete: () => boolean): Promise<Finding[]> {
    child.hold(true);
    try {
      while (!isComplete() && !child.hasEnded && this.#failed === undefined) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#wake = undefined;
      child.hold(false);
    }
    this.options.signal?.throwIfAborted();
    if (this.#failed !== undefined) throw this.#failed;
    const end = child.hasEnded ? await child.ended : undefined;
    if (end !== undefined && (!isComplete() || end.status === null || end.status > 1)) throw child.failure(end);
    const findings = this.#findings;
    this.#findings = [];
    return findings;
  }

  #read(text: string): void {
    const lines = text.split("\n");
    const rest = lines.pop()!;
    if (lines.length > 0) {
      lines[0] = this.#rest.join("") + lines[0]!;
      this.#rest = [];
    }
    this.#rest.push(rest);
    for (const line of lines) this.#take(line);
    this.#wake?.();
  }

  #take(text: string): void {
    let line: Line;
    try {
      line = JSON.parse(text) as Line;
    } catch (cause) {
      this.#failed = new CheckError(`lmclint printed ${JSON.stringify(text.slice(0, 200))}`, undefined, { cause });
      return;
    }
    if ("judged" in line) this.#judged = line.judged;
    else if ("summary" in line) this.#summarized = true;
    else if ("rule" in line) this.#findings.push(line);
  }
}
