// Runs every snippet of documents: those in JavaScript as modules, those for the
// shell if they run lmclint.
//
//   node snippets.mjs DOCUMENT...

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// What the snippets use without saying where it comes from.
const prelude = `
import { readFileSync } from "node:fs";
globalThis.chat = async function* () {
  for (const chunk of [{ start: true }, { content: "hi" }, { end: true }]) yield { role: "assistant", type: "message", ...chunk };
};
globalThis.shown = 0;
globalThis.show = () => shown++;
globalThis.fetch = async () => new Response(readFileSync(${JSON.stringify(createRequire(import.meta.url).resolve("lmclint/lmclint.wasm"))}));
`;

const folder = mkdtempSync(join(process.cwd(), "snippets-")); // below the installed package
let count = 0;
try {
  writeFileSync(join(folder, "prelude.mjs"), prelude);
  writeFileSync(join(folder, "recording.jsonl"), '{"role": "assistant", "type": "message", "start": true}\n');
  mkdirSync(join(folder, "recordings"));
  writeFileSync(join(folder, "recordings/a.json"), '[{"role": "user", "type": "message", "content": "hi"}]\n');
  for (const document of process.argv.slice(2)) {
    const text = readFileSync(document, "utf8");
    const before = count;
    for (const [, language, snippet] of text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)) run(document, language, snippet);
    assert.ok(count > before, `${document} has no snippet that runs`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${count} snippets run`);

function run(document, language, snippet) {
  try {
    if (language === "js") {
      const file = join(folder, `${++count}.mjs`);
      writeFileSync(file, snippet);
      execFileSync(process.execPath, ["--import", pathToFileURL(join(folder, "prelude.mjs")).href, file], { cwd: folder, stdio: "pipe" });
    } else if (language === "sh") {
      for (const line of snippet.split("\n").filter((line) => line.startsWith("npx lmclint"))) {
        count++;
        execFileSync("sh", ["-c", line.replace("npx", "npx --no-install")], { cwd: folder, stdio: "pipe" });
      }
    } else {
      assert.fail(`snippets in ${language} do not run here`);
    }
  } catch (error) {
    throw new Error(`${document}: this snippet fails:\n${snippet}\n${error.stderr ?? error}`, { cause: error });
  }
}
