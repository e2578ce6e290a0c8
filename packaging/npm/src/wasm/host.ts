// Runs the WebAssembly program, which waits for calls.

import { CheckError } from "../report.js";
import { programIn } from "./go.js";

/** What the program offers. Answers are JSON. */
export interface Exports {
  check(input: Uint8Array, options: string): string;
  open(options: string): number | string;
  push(number: number, lines: Uint8Array): string;
  end(number: number): string;
  close(number: number): void;
  pending(): number;
}

/** Where the program comes from. */
export type Source = BufferSource | URL | string | Response | WebAssembly.Module;

/** A program that runs, until it crashes. */
export class Host {
  readonly #exports: Exports;
  readonly #ended: () => boolean;
  readonly #output: Output;
  #crash: unknown;

  constructor(exports: Exports, ended: () => boolean, output: Output) {
    this.#exports = exports;
    this.#ended = ended;
    this.#output = output;
  }

  /** Why the program cannot be called any more, or undefined. */
  get failure(): string | undefined {
    if (!this.#ended() && this.#crash === undefined) return undefined;
    return `lmclint has stopped, and init() starts it again: ${this.#output.text() || String(this.#crash ?? "it gave no reason")}`;
  }

  /** Calls the program. It throws a CheckError if the program crashes, or has before. */
  call<T>(use: (exports: Exports) => T): T {
    this.#throwFailure();
    try {
      const answer = use(this.#exports);
      if (!this.#ended()) return answer;
    } catch (cause) {
      this.#crash = cause;
    }
    return this.#throwFailure() as never;
  }

  #throwFailure(): void {
    const { failure } = this;
    if (failure !== undefined) throw new CheckError(failure, undefined, { cause: this.#crash });
  }
}

/** Compiles and starts the program. */
export async function start(source: Source): Promise<Host> {
  const output = new Output();
  const exports = {};
  const Go = programIn(scopeWith(exports), output, randomness(), unreferencedTimeout);
  const program = new Go();
  const instance = await instantiate(source, program.importObject);
  let crash: unknown;
  const ended = program.run(instance).catch((error: unknown) => {
    crash = error;
  });
  await Promise.race([ended, Promise.resolve()]);
  if (program.exited || crash !== undefined || !("pending" in exports)) {
    throw new Error(`lmclint did not start: ${output.text() || String(crash ?? "it is another program")}`);
  }
  return new Host(exports as Exports, () => program.exited, output);
}

/**
 * The globals that the program sees: its own, so that it neither reads nor
 * changes those of the page.
 */
function scopeWith(exports: object): object {
  return {
    lmclint: exports,
    Object, Array, Uint8Array, Date, Error, TextEncoder, TextDecoder,
    performance, crypto: randomness(),
    fs: undefined, process: undefined, path: undefined, // wasm_exec.js makes them
  };
}

/** Node 18 has no global crypto. The program needs seeds of hash tables only. */
function randomness(): Pick<Crypto, "getRandomValues"> {
  const available: Crypto | undefined = globalThis.crypto;
  return available ?? {
    getRandomValues(array) {
      if (ArrayBuffer.isView(array)) {
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        for (let i = 0; i < bytes.length; i++) bytes[i] = Math.random() * 256;
      }
      return array;
    },
  };
}

/** A timer that does not keep a process alive. */
function unreferencedTimeout(callback: () => void, ms: number): unknown {
  const timer: unknown = setTimeout(callback, ms);
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function") timer.unref();
  return timer;
}

/** What the program prints: why it crashed. The start of it says that. */
class Output {
  #text = "";
  readonly #decoder = new TextDecoder();

  writeSync(_fd: number, bytes: Uint8Array): number {
    if (this.#text.length < 4096) this.#text += this.#decoder.decode(bytes, { stream: true });
    return bytes.length;
  }

  text(): string {
    return this.#text.slice(0, 4096).trim();
  }
}

async function instantiate(source: Source, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source, imports);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return (await WebAssembly.instantiate(source, imports)).instance;
  const response = isResponse(source) ? source : await fetch(source);
  if (!response.ok) throw new Error(`lmclint.wasm: status ${response.status} from ${response.url}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm") && "instantiateStreaming" in WebAssembly) {
    return (await WebAssembly.instantiateStreaming(response, imports)).instance;
  }
  return (await WebAssembly.instantiate(await response.arrayBuffer(), imports)).instance;
}

function isResponse(source: unknown): source is Response {
  return typeof source === "object" && source !== null && "arrayBuffer" in source && "headers" in source;
}
