#!/usr/bin/env node
// Builds the npm packages: lmclint, and one package per platform with the
// program. It writes an archive of each to a folder, as npm publish takes them.
//
//   node packaging/npm/build.mjs [--current] DIR
//   node packaging/npm/build.mjs --here
//
// --current builds only the package of this platform; --here builds it in place, as
// npm install ./packaging/npm needs it. Needs Go, Node and, for the compiler of
// TypeScript, the npm registry.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const licensesFile = "THIRD_PARTY_LICENSES.txt";
const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));

async function main() {
  const { values, positionals } = parseArgs({ options: { current: { type: "boolean" }, here: { type: "boolean" } }, allowPositionals: true });
  if (positionals.length !== (values.here ? 0 : 1)) {
    console.error("usage: node packaging/npm/build.mjs [--current] DIR\n       node packaging/npm/build.mjs --here");
    process.exit(2);
  }
  needGo();
  if (values.here) return await buildHere();
  const out = resolve(positionals[0]);
  const stage = mkdtempSync(join(tmpdir(), "lmclint-npm-"));
  try {
    mkdirSync(out, { recursive: true });
    await build(stage, out, values.current === true);
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/** Builds what the package of this platform consists of beside its sources, both ignored by git. */
async function buildHere() {
  const lib = join(here, "lib");
  compile(lib);
  buildWasm(join(lib, "wasm"), run(root, "packaging/version").trim());
  const { platforms, packageOf, programIn } = await import(pathToFileURL(join(lib, "platforms.js")));
  const p = platforms.find((p) => p.os === process.platform && p.cpu === process.arch);
  if (p === undefined) return; // the program says what to do
  const folder = join(here, "node_modules", packageOf(p));
  run(root, "packaging/binary", p.goos, p.goarch, join(folder, programIn(p)));
  writeManifest(folder, { name: packageOf(p), version: manifest.version, private: true });
}

/** Exits with a sentence where Go is missing. */
function needGo() {
  try {
    execFileSync("go", ["version"], { stdio: "ignore" });
  } catch {
    console.error("lmclint is built with Go 1.26 or later, and there is no program go on the PATH: install it from https://go.dev/dl");
    process.exit(1);
  }
}

async function build(stage, out, current) {
  const version = run(root, "packaging/version").trim();
  const licenses = run(root, "packaging/licenses"); // of what the programs contain
  const lib = join(stage, "lmclint/lib");
  compile(lib);
  buildWasm(join(lib, "wasm"), version);
  const { platforms, packageOf, programIn } = await import(pathToFileURL(join(lib, "platforms.js")));

  for (const p of platforms) {
    if (current && (p.os !== process.platform || p.cpu !== process.arch)) continue;
    const folder = join(stage, `${p.os}-${p.cpu}`);
    run(root, "packaging/binary", p.goos, p.goarch, join(folder, programIn(p)));
    copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
    writeFileSync(join(folder, licensesFile), licenses);
    writeFileSync(join(folder, "README.md"), `The program of [lmclint](https://www.npmjs.com/package/lmclint) for ${p.os}-${p.cpu}.\n`);
    writeManifest(folder, {
      name: packageOf(p),
      version,
      description: `The program of lmclint for ${p.os}-${p.cpu}`,
      ...shared(),
      os: [p.os],
      cpu: [p.cpu],
      preferUnplugged: true, // Yarn must unpack the program to run it
      files: ["bin", licensesFile],
    });
    pack(folder, out);
  }

  const folder = join(stage, "lmclint");
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, licensesFile), licenses);
  copyFileSync(join(here, "README.md"), join(folder, "README.md"));
  const { private: _, devDependencies: __, scripts: ___, ...published } = manifest;
  writeManifest(folder, {
    ...published,
    version,
    files: [...published.files, licensesFile],
    optionalDependencies: Object.fromEntries(platforms.map((p) => [packageOf(p), version])),
  });
  pack(folder, out);
}

/** What the packages of platforms have in common with the main one. */
function shared() {
  const { homepage, bugs, repository, license, engines } = manifest;
  return { homepage, bugs, repository, license, engines };
}

/** Compiles the TypeScript. */
function compile(lib) {
  if (!existsSync(join(here, "node_modules/typescript"))) run(here, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
  run(here, process.execPath, "node_modules/typescript/bin/tsc", "--outDir", lib);
}

/** Builds the WebAssembly, with the file of the Go toolchain that runs it. */
function buildWasm(folder, version) {
  // With the flags of packaging/binary, so that a commit always gives the same bytes.
  run(root, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", `-s -w -X main.version=v${version}`,
    "-o", join(folder, "lmclint.wasm"), "./cmd/lmclint-wasm",
    { ...process.env, CGO_ENABLED: "0", GOFLAGS: "", GOWORK: "off", GOOS: "js", GOARCH: "wasm" });
  const goroot = run(root, "go", "env", "GOROOT").trim();
  // wasm_exec.js sets globals. As a function it sets them in an object of the
  // caller instead, and several programs do not meet.
  const script = readFileSync(join(goroot, "lib/wasm/wasm_exec.js"), "utf8");
  writeFileSync(join(folder, "go.js"), [
    "// wasm_exec.js of the Go toolchain, unchanged, in a function. LICENSE-go is its license.",
    "export function programIn(globalThis, fs, crypto, setTimeout) {",
    script.trimEnd(),
    "return globalThis.Go;",
    "}",
    "",
  ].join("\n"));
  copyFileSync(join(goroot, "LICENSE"), join(folder, "LICENSE-go"));
}

function writeManifest(folder, content) {
  writeFileSync(join(folder, "package.json"), JSON.stringify(content, null, 2) + "\n");
}

/** Packs a folder, and names the archive, as npm names it. */
function pack(folder, out) {
  console.log(join(out, run(folder, "npm", "pack", "--silent", "--pack-destination", out).trim()));
}

/** Runs a command and returns its output. The last argument may be its environment. */
function run(cwd, command, ...args) {
  const env = typeof args.at(-1) === "object" ? args.pop() : process.env;
  return execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], shell: false });
}

await main();
