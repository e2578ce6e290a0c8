// Uses the playground as its reader would. Argument: the folder that web/build
// wrote.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { axe, check, end, equal, launch, open } from "./browser.mjs";

const folder = resolve(process.argv[2]);
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const server = createServer(async (request, response) => {
  const path = request.url === "/" ? "/index.html" : new URL(request.url, "http://localhost").pathname;
  try {
    const data = await readFile(join(folder, path));
    response.writeHead(200, { "content-type": types[extname(path)] || "application/octet-stream" }).end(data);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, "127.0.0.1");
await new Promise((done) => server.once("listening", done));
const url = `http://127.0.0.1:${server.address().port}/`;
const browser = await launch();

const healthy = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello"}
{"role": "assistant", "type": "message", "end": true}
`;
const { page, trouble, close } = await open(browser, url, { permissions: ["clipboard-read", "clipboard-write"] }, (to) => to.startsWith(url));
const findings = () => page.locator(".findings li .where").allTextContents();
const checked = (n) => page.waitForFunction((n) => document.getElementById("state").textContent.startsWith(n + " record"), n);

await page.waitForFunction(() => document.getElementById("state").textContent.startsWith("Nothing"));
await page.fill("#input", healthy);
await checked(3);
equal("a healthy stream has no finding", await findings(), []);
check("its text is in the conversation", await page.click("#tab-conversation").then(() => page.textContent("#panel-conversation")).then((t) => t.includes("Hello")));
await page.click("#tab-findings");

// A mistake, as it is typed: the answer comes while the input keeps the focus.
await page.focus("#input");
await page.keyboard.press("Control+End");
await page.keyboard.type('{"role": "assistant", "type": "message", "content": "stray"}\n', { delay: 5 });
await page.waitForSelector(".findings li");
check("the typed mistake is found", (await findings()).some((t) => t.startsWith("LMC201")), await findings());
equal("the input keeps the focus", await page.evaluate(() => document.activeElement.id), "input");
check("the timeline shows it", (await page.evaluate(() => { const { timeline } = document.getElementById("page").lmclint; timeline.paint(); return timeline.pins.length; })) === 1);
await page.click(".findings li button");
equal("a click selects it in the input", await page.evaluate(() => { const i = document.getElementById("input"); return i.value.slice(i.selectionStart, i.selectionEnd).includes("stray"); }), true);

// A link holds the input.
await page.click("#link");
await page.waitForFunction(() => location.hash.includes("input="));
const link = await page.evaluate(() => location.href);
const text = await page.inputValue("#input");
const other = await open(browser, link, {}, (to) => to.startsWith(url));
await other.page.waitForSelector(".findings li");
equal("the link brings the input", await other.page.inputValue("#input"), text);
equal("link: no trouble", other.trouble, []);
await other.close();

// Kind and dialect.
await page.selectOption("#kind", "transcript");
await page.waitForFunction(() => [...document.querySelectorAll(".findings .where")].some((e) => e.textContent.startsWith("LMC501")));
check("the kind can be chosen", true);
await page.selectOption("#kind", "");
await page.selectOption("#dialect", "docs");
await page.waitForFunction(() => document.querySelector(".facts").textContent.includes("dialect docs"));
await page.selectOption("#dialect", "");

// Every rule has an example to load.
const groups = await page.locator("#example optgroup").count();
check("examples of the rules", groups > 80, groups);
const value = await page.locator('optgroup[label^="LMC202"] option').first().getAttribute("value");
await page.selectOption("#example", value);
await page.waitForFunction(() => [...document.querySelectorAll(".findings .where")].some((e) => e.textContent.startsWith("LMC202")));
check("an example is loaded", (await page.inputValue("#input")).includes("start"));

// A file.
await page.setInputFiles("#file", { name: "odd name.jsonl", mimeType: "text/plain", buffer: Buffer.from(healthy + healthy) });
await checked(6);
equal("a file is loaded", await page.inputValue("#input"), healthy + healthy);

// Typing stays smooth while a large file is checked.
await page.evaluate(() => {
  globalThis.ticks = 0;
  setInterval(() => { globalThis.ticks++; }, 20);
});
await page.setInputFiles("#file", { name: "large.jsonl", mimeType: "text/plain", buffer: Buffer.from(healthy.repeat(20000)) });
await checked(60000);
const ticks = await page.evaluate(() => globalThis.ticks);
const took = Number((await page.textContent("#state")).match(/in (\d+) ms/)[1]);
console.log(`60,000 records: checked in ${took} ms, while a timer of the page ran ${ticks} times`);
check("the page does not wait for the check", ticks > 10, { ticks, took });

// What cannot be read says so.
await page.fill("#input", '[{"role": "user", "content": "Hi"}]');
await page.waitForSelector("#state.failed");
check("another format is named", (await page.textContent("#state")).includes("OpenAI"), await page.textContent("#state"));
await page.fill("#input", healthy);
await checked(3);
for (const colorScheme of ["light", "dark"]) {
  await page.emulateMedia({ colorScheme });
  equal("axe-core, playground, " + colorScheme, await axe(page), []);
}
equal("playground: no trouble", trouble, []);
await close();
await browser.close();
server.close();
process.exit(end("playground"));
