import assert from "node:assert/strict";
import test from "node:test";

// Not part of the API.
const { locate, packageOf, platforms, programIn } = await import(new URL("./platforms.js", import.meta.resolve("lmclint")));

const installed = (file) => `/app/node_modules/${file}`;
const missing = () => {
  throw new Error("MODULE_NOT_FOUND");
};

test("each platform has its package and program", () => {
  assert.deepEqual(
    platforms.map((p) => locate({ os: p.os, cpu: p.cpu, override: undefined, resolve: installed })),
    [
      "/app/node_modules/@lmclint/linux-x64/bin/lmclint",
      "/app/node_modules/@lmclint/linux-arm64/bin/lmclint",
      "/app/node_modules/@lmclint/darwin-x64/bin/lmclint",
      "/app/node_modules/@lmclint/darwin-arm64/bin/lmclint",
      "/app/node_modules/@lmclint/win32-x64/bin/lmclint.exe",
      "/app/node_modules/@lmclint/win32-arm64/bin/lmclint.exe",
    ],
  );
  assert.equal(packageOf({ os: "win32", cpu: "x64" }), "@lmclint/win32-x64");
  assert.equal(programIn({ os: "win32" }), "bin/lmclint.exe");
});

test("paths of Windows stay what they are", () => {
  const path = "C:\\Users\\a b\\node_modules\\@lmclint\\win32-x64\\bin\\lmclint.exe";
  assert.equal(locate({ os: "win32", cpu: "x64", override: undefined, resolve: () => path }), path);
});

test("LMCLINT_BINARY names another program, on every platform", () => {
  assert.equal(locate({ os: "aix", cpu: "ppc64", override: "/opt/lmclint", resolve: missing }), "/opt/lmclint");
  assert.equal(locate({ os: "linux", cpu: "x64", override: "", resolve: installed }), "/app/node_modules/@lmclint/linux-x64/bin/lmclint");
});

test("a missing package is explained", () => {
  assert.throws(() => locate({ os: "linux", cpu: "x64", override: undefined, resolve: missing }), /@lmclint\/linux-x64, .*not installed.*--omit=optional/);
});

test("an unknown platform is explained", () => {
  assert.throws(() => locate({ os: "freebsd", cpu: "x64", override: undefined, resolve: missing }), /no program for freebsd-x64, only for linux-x64.*LMCLINT_BINARY.*lmclint\/wasm/);
  assert.throws(() => locate({ os: "linux", cpu: "ia32", override: undefined, resolve: missing }), /linux-ia32/);
});
