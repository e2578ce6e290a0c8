// What the tests of the pages share: a browser, and checks that name what fails.
import { createRequire } from "node:module";
import { availableParallelism, loadavg } from "node:os";
import { chromium } from "playwright-core";

const axePath = createRequire(import.meta.url).resolve("axe-core");

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"], // for containers that run as root
});

// A test that hangs is a failure. Beside other steps of CI the browser may get little of the
// processors: alone, a test takes two minutes.
let opened = "";
setTimeout(() => { console.error(`FAILED: no end after 25 minutes; the page opened last is ${opened}`); process.exit(1); }, 1_500_000).unref();

// within reports whether something took less than a limit, in milliseconds, and half as much
// again. The limit grows with the number of processes that wait for a processor: CI runs other
// steps beside this one.
export function within(took, limit) {
  return took < 1.5 * limit * Math.max(1, loadavg()[0] / availableParallelism());
}

let failures = 0, checks = 0;

// check counts a check, and prints it if it fails.
export function check(what, ok, detail = "") {
  checks++;
  if (ok) return;
  failures++;
  console.error("FAILED: " + what + (detail === "" ? "" : ": " + JSON.stringify(detail).slice(0, 600)));
}

export const equal = (what, got, want) => check(what, JSON.stringify(got) === JSON.stringify(want), { got, want });

// end prints the counts, and returns the exit status.
export function end(name) {
  console.log(`${name}: ${checks} checks, ${failures} failed`);
  return failures > 0 || checks === 0 ? 1 : 0;
}

// open opens a page and notes what it must not do: errors, messages of the
// console, dialogs, and requests that `allowed` does not allow.
export async function open(browser, url, options = {}, allowed = () => false) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const trouble = [];
  page.on("console", (m) => trouble.push("console: " + m.text()));
  page.on("pageerror", (e) => trouble.push("error: " + e.message));
  page.on("dialog", (d) => { trouble.push("dialog: " + d.message()); d.dismiss(); });
  page.on("request", (r) => { if (r.url() !== url && !r.url().startsWith("data:image/") && !allowed(r.url())) trouble.push("request: " + r.url()); });
  opened = url;
  await page.goto(url);
  return { page, trouble, close: () => context.close() };
}

// axe returns what axe-core finds wrong. It is evaluated by the debugger, which
// the Content-Security-Policy of the page does not concern.
export async function axe(page) {
  const { readFile } = await import("node:fs/promises");
  const source = await readFile(axePath, "utf8");
  const client = await page.context().newCDPSession(page);
  await client.send("Runtime.evaluate", { expression: source });
  const { result } = await client.send("Runtime.evaluate", {
    expression: `axe.run(document, {resultTypes: ["violations"]}).then((r) => JSON.stringify(r.passes.length < 8 ? "axe-core checked nothing" : r.violations.map((v) => [v.id, v.nodes.slice(0, 4).map((n) => n.html.slice(0, 160) + " | " + n.failureSummary.slice(0, 300))])))`,
    awaitPromise: true,
  });
  await client.detach();
  return JSON.parse(result.value);
}
