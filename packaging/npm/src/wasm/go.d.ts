// go.js is made by the build from wasm_exec.js of the Go toolchain.

/** A Go program in WebAssembly, and what it needs of its host. */
export interface Program {
  readonly importObject: WebAssembly.Imports;
  readonly exited: boolean;
  /** Starts the program. It returns when the program waits, and resolves when it ends. */
  run(instance: WebAssembly.Instance): Promise<void>;
}

/**
 * Returns the class of programs whose global object is scope. The other
 * arguments stand for globals that wasm_exec.js uses.
 */
export function programIn(
  scope: object,
  fs: object,
  crypto: object,
  setTimeout: (callback: () => void, ms: number) => unknown,
): new () => Program;
