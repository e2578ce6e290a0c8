#!/usr/bin/env node
// Prints the compressed size of the WebAssembly build, and fails if a document
// says something else by more than 5 percent.
//
//   node packaging/npm/size.mjs FILE [DOCUMENT...]

import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [file, ...documents] = process.argv.slice(2);
const data = readFileSync(file);
const megabytes = (buffer) => buffer.length / 1e6;
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: data.length };
const size = { gzip: megabytes(gzipSync(data, { level: 9 })), brotli: megabytes(brotliCompressSync(data, { params })) };
console.log(`${size.gzip.toFixed(1)} MB with gzip, ${size.brotli.toFixed(1)} MB with brotli, ${megabytes(data).toFixed(1)} MB in all`);

for (const document of documents) {
  const stated = [...readFileSync(document, "utf8").matchAll(/([\d.]+) MB with (gzip|brotli)/g)];
  if (stated.length === 0) fail(document, "states no size of the WebAssembly build");
  for (const [text, amount, compression] of stated) {
    if (Math.abs(amount / size[compression] - 1) > 0.05) fail(document, `says ${text}, but it is ${size[compression].toFixed(2)} MB`);
  }
}

function fail(document, why) {
  console.error(`${document} ${why}`);
  process.exitCode = 1;
}
