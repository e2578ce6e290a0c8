// Makes the picture of the README: node picture.mjs ../../docs/images/timeline.png
import { execFileSync } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const picture = resolve(process.argv[2]);
const page = join(await mkdtemp(join(tmpdir(), "picture")), "report.html");
execFileSync("go", ["run", "github.com/lmclint/lmclint/cmd/lmclint", "--quiet", "--fail-on", "never", "--format", "html:" + page, "close_mid_code.chunks.jsonl"],
  { cwd: resolve(import.meta.dirname, "../../testdata/recorded/v0.4.2"), stdio: "inherit" });
const browser = await launch();
const tab = await browser.newPage({ viewport: { width: 1180, height: 720 }, colorScheme: "light" });
await tab.goto(pathToFileURL(page).href);
await tab.waitForTimeout(500); // until the canvas is painted
await tab.screenshot({ path: picture });
await browser.close();
process.exit(0);
