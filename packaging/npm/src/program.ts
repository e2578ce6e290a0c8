// Finds the program of this platform.

import { createRequire } from "node:module";

import { locate } from "./platforms.js";

/** Returns the path of the program. The variable LMCLINT_BINARY names another one. */
export function program(): string {
  return locate({
    os: process.platform,
    cpu: process.arch,
    override: process.env.LMCLINT_BINARY,
    resolve: createRequire(import.meta.url).resolve,
  });
}
