// The linter in WebAssembly.

import { checkGuardOptions, guarded, lineOf, type Chunks, type GuardOptions } from "../guard.js";
import type { Options } from "../options.js";
import { CheckError, Report, type File, type Finding, type ReportData, type Summary } from "../report.js";
import { start, type Host, type Source } from "./host.js";

/** Options of a check. */
export interface CheckOptions extends Options {
  /** The stored conversation that streams are compared with: its messages or their text. */
  readonly against?: string | readonly unknown[];
  /** Its name in findings. */
  readonly againstPath?: string;
}

let running: Host | undefined;
let starting: Promise<Host> | undefined;

/** Starts the program, once: later calls wait for the first one. */
export async function initialize(source: () => Source | Promise<Source>): Promise<void> {
  if (running !== undefined && running.failure === undefined) return;
  running = undefined;
  starting ??= load(source);
  try {
    running = await starting;
  } finally {
    starting = undefined;
  }
}

async function load(source: () => Source | Promise<Source>): Promise<Host> {
  return start(await source());
}

/** Returns the program, or throws if it was not loaded. */
function host(): Host {
  if (running === undefined) throw new Error("lmclint is not loaded: await init() first");
  return running;
}

/** An answer of the program to a call that failed. */
interface Failure {
  readonly error: string;
  readonly usage?: boolean;
  readonly report?: ReportData;
}

/** Returns an answer of the program, or throws what it failed with. */
function decode<T extends object>(text: string): T {
  const answer = JSON.parse(text) as T | Failure;
  if (!("error" in answer)) return answer;
  if (answer.usage === true) throw new TypeError(answer.error);
  throw new CheckError(answer.error, answer.report && new Report(answer.report));
}

const encoder = new TextEncoder();

function bytesOf(input: unknown, what: string): Uint8Array {
  if (typeof input === "string") return encoder.encode(input);
  if (input instanceof Uint8Array) return input;
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  throw new TypeError(`${what} is ${input === null ? "null" : typeof input}, expected text or bytes`);
}

/** Returns options as the program reads them. It throws a TypeError for what JSON cannot represent. */
function encodeOptions(options: CheckOptions): string {
  const { against } = options;
  return lineOf(Array.isArray(against) ? { ...options, against: JSON.stringify(against) } : options, "the options");
}

/**
 * Checks a whole input: the text of a transcript, a recorded stream or a
 * session, in any form that lmclint reads. It throws a CheckError for an input
 * of an unknown protocol, and a TypeError for wrong options.
 */
export function check(input: string | BufferSource, options: CheckOptions = {}): Report {
  const bytes = bytesOf(input, "the input");
  const encoded = encodeOptions(options); // it may throw: not in a call
  return new Report(decode<ReportData>(host().call((program) => program.check(bytes, encoded))));
}

/** Linters that were neither ended nor closed are closed when they are collected. */
const abandoned = new FinalizationRegistry<{ host: Host; number: number }>(({ host, number }) => {
  if (host.failure === undefined) host.call((program) => program.close(number));
});

/**
 * Checks a stream chunk by chunk. Unless the options say otherwise, it is a
 * stream of LMC, and the dialect "auto" is "interpreter". Several linters may be
 * used at once.
 */
export class Linter {
  readonly #host: Host;
  readonly #number: number;
  #pushed = 0;
  #ended = false;
  #file: File | undefined;
  #summary: Summary | undefined;

  constructor(options: CheckOptions = {}) {
    const encoded = encodeOptions(options);
    this.#host = host();
    const answer = this.#host.call((program) => program.open(encoded));
    if (typeof answer === "string") decode(answer);
    this.#number = answer as number;
    abandoned.register(this, { host: this.#host, number: this.#number }, this);
  }

  /**
   * Adds a chunk, and returns the findings that it decides. A string or bytes
   * are the text of one or more whole lines; anything else is written as JSON.
   */
  push(chunk: unknown): Finding[] {
    const isText = typeof chunk === "string" || ArrayBuffer.isView(chunk) || chunk instanceof ArrayBuffer;
    const lines = bytesOf(isText ? chunk : lineOf(chunk, `chunk ${this.#pushed}`), "the chunk");
    if (this.#ended) throw new TypeError("the input has ended");
    this.#pushed++;
    return decode<{ findings: Finding[] }>(this.#host.call((program) => program.push(this.#number, lines))).findings;
  }

  /** Ends the input, and returns the findings that its end decides. */
  end(): Finding[] {
    if (this.#ended) throw new TypeError("the input has ended");
    const text = this.#host.call((program) => program.end(this.#number));
    this.#release();
    const answer = decode<{ findings: Finding[]; file: File; summary: Summary }>(text);
    this.#file = answer.file;
    this.#summary = answer.summary;
    return answer.findings;
  }

  /** What was detected of the input, after its end. */
  get file(): File | undefined {
    return this.#file;
  }

  /** The counts of the input, after its end. */
  get summary(): Summary | undefined {
    return this.#summary;
  }

  /** Releases a linter that is not ended. It may be called at any time. */
  close(): void {
    if (this.#ended) return;
    this.#release();
    if (this.#host.failure === undefined) this.#host.call((program) => program.close(this.#number));
  }

  #release(): void {
    this.#ended = true;
    abandoned.unregister(this);
  }
}

/**
 * Yields each chunk of a stream once it is judged, and throws a ConformanceError
 * with the findings instead of the chunk that breaks the protocol.
 */
export function guard<T>(chunks: Chunks<T>, options: CheckOptions & GuardOptions = {}): AsyncGenerator<T, void, undefined> {
  checkGuardOptions(options);
  const { stopOn, onFinding, ...rest } = options;
  void stopOn, onFinding;
  let linter: Linter | undefined;
  let number = 0;
  const opened = (): Linter => (linter ??= new Linter(rest));
  return guarded(chunks, {
    push: (chunk) => opened().push(lineOf(chunk, `chunk ${number++}`)),
    end: () => linter?.end() ?? [],
    close: () => linter?.close(),
  }, options);
}
