// What can be checked: files, text, and records that a program has.

import { fileURLToPath } from "node:url";

import type { Child } from "./child.js";
import { lineOf } from "./guard.js";

/**
 * An input. A string with a line break, or that starts with { or [, is text; any
 * other one is a path. An object names which of the two it is. A stream of bytes or text
 * is read as it is, whatever its parts are; other iterables have a record in each item.
 */
export type Input =
  | string
  | URL
  | Uint8Array
  | { readonly path: string }
  | { readonly text: string }
  | Iterable<unknown>
  | AsyncIterable<unknown>;

/** An input as the program gets it: a path, or what is written to its standard input. */
export type Resolved = { readonly path: string } | { readonly write: (child: Child) => Promise<void> };

/** Returns how the program gets an input. It throws a TypeError for anything else. */
export function resolveInput(input: unknown, what: string): Resolved {
  if (typeof input === "string") return /^\s*[{[]|[\r\n]|^\s*$/.test(input) ? whole(input) : path(input);
  if (input instanceof URL) return path(fileURLToPath(input));
  if (input instanceof Uint8Array) return whole(input);
  if (typeof input === "object" && input !== null) {
    if (Symbol.asyncIterator in input || Symbol.iterator in input) return records(input as AsyncIterable<unknown> | Iterable<unknown>);
    if ("path" in input && typeof input.path === "string") return path(input.path);
    if ("text" in input && typeof input.text === "string") return whole(input.text);
  }
  throw new TypeError(`${what} is ${input === null ? "null" : typeof input}, expected a path, text, bytes, or records that can be iterated`);
}

/** A path that the program takes for none of its flags, nor for standard input. */
function path(name: string): Resolved {
  return { path: name === "-" ? "./-" : name };
}

function whole(text: string | Uint8Array): Resolved {
  return {
    write: async (child) => {
      await child.write(text);
    },
  };
}

/**
 * Yields the line of each record; of a stream, such as a file or a response, its bytes
 * or its text as they are.
 */
export async function* partsOf(items: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<string | Uint8Array> {
  const isStream = Symbol.asyncIterator in items;
  let number = 0;
  for await (const item of items) {
    const what = `item ${number++}`;
    yield item instanceof Uint8Array || (isStream && typeof item === "string") ? item : lineOf(item, what) + "\n";
  }
}

function records(items: AsyncIterable<unknown> | Iterable<unknown>): Resolved {
  return {
    write: async (child) => {
      for await (const part of partsOf(items)) {
        if (!(await child.write(part))) return;
      }
    },
  };
}
