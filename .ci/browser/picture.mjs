// Makes the picture of the README: node picture.mjs ../../docs/images/timeline.png
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const picture = resolve(process.argv[2]), root = resolve(import.meta.dirname, "../..");
const folder = await mkdtemp(join(tmpdir(), "picture"));
// A recording as a program writes it that adds a time of its own, and that lost an end flag.
const recorded = await readFile(join(root, "testdata/recorded/v0.4.2/docs_34_24.chunks.jsonl"), "utf8");
const lines = recorded.trim().split("\n").map((line, i) => (line.includes('"content"') ? line.replace(/\}$/, `, "created": ${1_790_000_000 + i}}`) : line));
lines.splice(lines.findIndex((line) => line.includes('"code"') && line.includes('"end"')), 1);
await writeFile(join(folder, "stream.jsonl"), lines.join("\n") + "\n");
execFileSync("go", ["build", "-C", root, "-o", folder, "./cmd/lmclint"], { stdio: "inherit" });
execFileSync(join(folder, "lmclint"), ["--quiet", "--fail-on", "never", "--format", "html:report.html", "stream.jsonl"], { cwd: folder, stdio: "inherit" });
const browser = await launch();
const tab = await browser.newPage({ viewport: { width: 1180, height: 720 }, colorScheme: "light" });
await tab.goto(pathToFileURL(join(folder, "report.html")).href);
await tab.click(".findings .group");
await tab.keyboard.press("n");
await tab.evaluate(() => document.getElementById("page").lmclint.timeline.fit());
await tab.waitForTimeout(500); // until the canvas is painted
await tab.screenshot({ path: picture });
await browser.close();
process.exit(0);
