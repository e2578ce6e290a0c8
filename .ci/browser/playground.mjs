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

// It opens with a broken recording, linted, and offers others.
await checked(15);
check("it opens with findings", (await findings()).some((t) => t.startsWith("LMC202")), await findings());
equal("the broken recording and five others to choose from", await page.locator("#example option").count(), 1 + 6);
for (const [name, rule] of [["code runs without", "LMC301"], ["fix mends", "LMC104"], ["session", "LMC601"], ["Workbench", "WB009"], ["valid", ""]]) {
  const value = await page.locator("#example option").evaluateAll((all, name) => all.find((o) => o.textContent.includes(name)).value, name);
  await page.selectOption("#example", value);
  await page.waitForFunction((rule) => (document.querySelector(".findings .where")?.textContent || "").includes(rule) || [...document.querySelectorAll(".findings .where")].some((e) => e.textContent.startsWith(rule)), rule);
  if (!rule) await page.waitForFunction(() => document.querySelectorAll(".findings li").length === 0);
  check("a recording to choose: " + name, true);
}
await page.fill("#input", healthy);
await checked(3);
equal("a healthy stream has no finding", await findings(), []);
check("its text is in the conversation", await page.click("#tab-conversation").then(() => page.textContent("#panel-conversation")).then((t) => t.includes("Hello")));
await page.click("#tab-findings");

// A mistake, as it is typed: the answer comes while the input keeps the focus.
await page.focus("#input");
await page.keyboard.press("Control+End");
await page.keyboard.type('{"role": "assistant", "type": "message", "content": "stray"}\n', { delay: 5 });
await page.waitForFunction(() => [...document.querySelectorAll(".findings .where")].some((e) => e.textContent.startsWith("LMC201"))).catch(() => {});
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

// A link that was truncated says so, as long as there is no other input.
const truncated = await open(browser, link.slice(0, -40), {}, (to) => to.startsWith(url));
await truncated.page.waitForFunction(() => !document.getElementById("rule-search").disabled); // the worker is ready
await truncated.page.waitForTimeout(200);
check("the error of a truncated link stays", (await truncated.page.textContent("#state")).startsWith("The link cannot be read"), await truncated.page.textContent("#state"));
equal("axe-core, truncated link", await axe(truncated.page), []);
await truncated.page.fill("#input", healthy);
await truncated.page.waitForFunction(() => document.getElementById("state").textContent.startsWith("3 records"));
await truncated.close();

// Kind and dialect.
await page.selectOption("#kind", "transcript");
await page.waitForFunction(() => [...document.querySelectorAll(".findings .where")].some((e) => e.textContent.startsWith("LMC501")));
check("the kind can be chosen", true);
await page.selectOption("#kind", "");
await page.selectOption("#dialect", "docs");
await page.waitForFunction(() => document.querySelector(".facts").textContent.includes("dialect docs"));
await page.selectOption("#dialect", "");

// The examples of the rules are found by words.
const search = async (words) => {
  await page.fill("#rule-search", words);
  return page.locator("#found button").allTextContents();
};
check("a search finds examples", (await search("lmc202")).length > 0);
check("of this rule only", (await search("LMC202 wrong")).every((t) => t.startsWith("LMC202")), await search("LMC202"));
equal("no example has these words", await search("no such words"), []);
equal("and says so", (await page.textContent("#found .none")).startsWith("No example"), true);
await search("unclosed-block");
await page.keyboard.press("Enter");
equal("the list closes", await page.locator("#found").isVisible(), false);
await page.waitForFunction(() => [...document.querySelectorAll(".findings .where")].some((e) => e.textContent.startsWith("LMC202")));
check("an example is loaded", (await page.inputValue("#input")).includes("start"));

// A recording that replaces an example is not judged with the options of the example.
await search("LMC703");
await page.click("#found button");
await page.waitForFunction(() => !document.getElementById("extra").hidden);
check("options without a control are named", (await page.textContent("#extra")).includes("stored conversation"));
await page.waitForFunction(() => document.querySelector(".findings .where")?.textContent.startsWith("LMC703"));
const before = await findings();
await page.focus("#input");
await page.keyboard.press("Control+End");
await page.keyboard.type("\n");
await page.waitForTimeout(400);
equal("they stay while the example is edited", await findings(), before);
await page.fill("#input", healthy);
await checked(3);
equal("and go when it is replaced", [await findings(), await page.locator("#extra").isVisible()], [[], false]);
await page.click("#link");
await page.waitForFunction(() => location.hash.includes("input="));
equal("a link has none of them, either", await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("options")), "{}");

// Clicking a finding selects its text, even right after pasting.
await page.click("#input");
await page.fill("#input", healthy.replace('"end"', '"odd": 1, "end"'));
await page.waitForSelector(".findings button");
await page.click(".findings button");
equal("a click after pasting selects the text", await page.evaluate(() => { const i = document.getElementById("input"); return i.value.slice(i.selectionStart, i.selectionEnd); }), '"odd"');

// A file.
await page.setInputFiles("#file", { name: "odd name.jsonl", mimeType: "text/plain", buffer: Buffer.from(healthy + healthy) });
await checked(6);
equal("a file is loaded", await page.inputValue("#input"), healthy + healthy);

// Typing stays smooth while a large file is checked.
await page.evaluate(() => {
  globalThis.ticks = 0;
  globalThis.said = [];
  new MutationObserver(() => globalThis.said.push([document.getElementById("state").textContent, document.getElementById("page").classList.contains("stale")]))
    .observe(document.getElementById("state"), { childList: true, characterData: true, subtree: true });
  setInterval(() => { globalThis.ticks++; }, 20);
});
await page.setInputFiles("#file", { name: "large.jsonl", mimeType: "text/plain", buffer: Buffer.from(healthy.repeat(20000)) });
await checked(60000);
const said = await page.evaluate(() => globalThis.said);
check("it says what is being checked, and how far it is", said.some(([text]) => /^Checking large\.jsonl\u2026 \d+ %$/.test(text)), said);
check("with the results before it dimmed", said.every(([text, stale]) => !text.startsWith("Checking") || stale) && !(await page.evaluate(() => document.getElementById("page").classList.contains("stale"))), said);
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
await page.fill("#input", (await page.evaluate(() => recordings[0].input)));
await checked(15);
for (const colorScheme of ["light", "dark"]) {
  await page.emulateMedia({ colorScheme });
  equal("axe-core, playground, " + colorScheme, await axe(page), []);
}
equal("playground: no trouble", trouble, []);
await close();

// On a phone nothing is wider than the screen.
const small = await open(browser, url, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }, (to) => to.startsWith(url));
await small.page.waitForSelector(".findings li");
check("nothing is wider than a phone", await small.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
equal("phone: no trouble", small.trouble, []);
await small.close();
await browser.close();
server.close();
process.exit(end("playground"));
