// Opens HTML reports and uses them as a reader would. Arguments: a folder with
// NAME.html and NAME.json, the JSON report of the same run, for the names below;
// cmd/lmclint/browser_test.go writes them.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { axe, check, end, equal, launch, open } from "./browser.mjs";

const begun = Date.now();
const note = (what) => process.env.VERBOSE && console.log(what, Date.now() - begun, "ms");
const folder = resolve(process.argv[2]);
const url = (name) => pathToFileURL(join(folder, name + ".html")).href;
const json = async (name) => JSON.parse(await readFile(join(folder, name + ".json"), "utf8"));
const browser = await launch();

// pins counts the findings of all pins that the timelines of all files draw, and
// those that have no timeline.
const pins = (page) => page.evaluate(() => {
  const p = document.getElementById("page").lmclint;
  let n = 0;
  p.data.files.forEach((file, i) => {
    (file.views || []).forEach((_, view) => {
      p.showFile(i, view);
      p.timeline.paint();
      for (const pin of p.timeline.pins) n += pin.findings.length;
    });
  });
  return n + p.data.findings.filter((f) => f.view < 0).length;
});

const chosen = (page) => page.textContent("#detail-title");

async function pinsAreFindings(name) {
  const { page, trouble, close } = await open(browser, url(name));
  const want = (await json(name)).findings;
  equal(name + ": pins", await pins(page), want.length);
  equal(name + ": tab", await page.textContent("#tab-findings"), `Findings (${want.length.toLocaleString("en-US")})`);
  equal(name + ": no trouble", trouble, []);
  await close();
}

async function filters() {
  const { page, trouble, close } = await open(browser, url("recorded"));
  const { findings, files } = await json("recorded");
  const rows = () => page.locator(".findings li").count();
  equal("all findings are listed", await rows(), findings.length);
  await page.click(".toggle.error");
  equal("filter by severity", await rows(), findings.filter((f) => f.severity !== "error").length);
  await page.click(".toggle.error");
  const rule = findings[0].rule;
  await page.selectOption('[aria-label="Filter findings by rule"]', rule);
  equal("filter by rule", await rows(), findings.filter((f) => f.rule === rule).length);
  await page.selectOption('[aria-label="Filter findings by rule"]', "");
  await page.fill('[type="search"]', findings[0].message.toUpperCase());
  equal("filter by text", await rows(), findings.filter((f) => f.message === findings[0].message).length);
  await page.fill('[type="search"]', "no such text");
  equal("nothing matches", await page.textContent(".none:not([hidden])"), "No finding matches the filter.");
  await page.fill('[type="search"]', "");
  await page.selectOption('[aria-label="Filter findings by file"]', "this");
  const heading = await page.textContent("h2.file");
  equal("filter by file", await rows(), findings.filter((f) => f.path === heading).length);
  equal("files in the index", await page.locator(".files li").count(), files.length);
  equal("filters: no trouble", trouble, []);
  await close();
}

async function clicks() {
  const { page, trouble, close } = await open(browser, url("recorded"));
  const { findings } = await json("recorded");
  for (const i of [0, findings.length - 1]) {
    await page.click(`[data-finding="${i}"]`);
    equal("a click shows the finding", await chosen(page), findings[i].message);
    equal("and its file", await page.textContent("h2.file"), findings[i].path);
    check("with its place marked", (await page.locator(".source mark." + findings[i].severity).count()) === 1);
    check("and the rule explained", (await page.textContent(".rule")).includes("Why it matters"));
  }
  await page.click("#tab-conversation");
  check("the conversation shows the finding at its message", (await page.locator(".messages .chosen .callout").count()) > 0);
  await page.locator(".messages .range").first().click();
  check("a message leads to its block", (await page.textContent(".detail .kicker")) !== "");
  // A click on the first bar, and on the first pin, of the canvas.
  await page.click("#tab-findings");
  const i = findings.findIndex((f) => f.record !== undefined);
  await page.click(`[data-finding="${i}"]`);
  await page.keyboard.press("Tab");
  const at = await page.evaluate(() => {
    const { timeline } = document.getElementById("page").lmclint;
    timeline.fit();
    timeline.paint();
    const lane = timeline.view.bars.lane[0];
    return { bar: [timeline.x(timeline.begin(0)) + 3, timeline.laneTop(lane) + 15], pin: [timeline.pins[0].x, 14], title: timeline.view.title(0), message: timeline.pins[0].findings[0].message };
  });
  await page.locator("canvas.lanes").click({ position: { x: at.bar[0], y: at.bar[1] } });
  equal("a click on a bar shows its block", await chosen(page), at.title);
  await page.locator("canvas.lanes").click({ position: { x: at.pin[0], y: at.pin[1] } });
  equal("a click on a pin shows its finding", await chosen(page), at.message);
  equal("clicks: no trouble", trouble, []);
  await close();
}

async function keyboard() {
  const { page, trouble, close } = await open(browser, url("session"));
  const { findings } = await json("session");
  const range = () => page.evaluate(() => { const { from, to } = document.getElementById("page").lmclint.timeline; return [from, to]; });
  await page.focus("canvas.lanes");
  await page.keyboard.press("Home");
  const first = await chosen(page);
  await page.keyboard.press("ArrowRight");
  check("the arrows choose blocks", (await chosen(page)) !== first);
  await page.keyboard.press("ArrowLeft");
  equal("and back", await chosen(page), first);
  const all = await range();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  const near = await range();
  check("+ zooms in", near[1] - near[0] < (all[1] - all[0]) / 2);
  await page.keyboard.press("Shift+ArrowRight");
  check("Shift and an arrow pan", (await range())[0] > near[0]);
  await page.keyboard.press("0");
  equal("0 shows all", await range(), all);
  await page.keyboard.press("n");
  check("n chooses a finding", findings.some((f) => f.message === undefined) === false && findings.map((f) => f.message).includes(await chosen(page)));
  check("which is announced", (await page.textContent('[role="status"]')).length > 0);
  await page.focus("#tab-findings");
  await page.keyboard.press("ArrowRight");
  equal("the arrows change the tab", await page.getAttribute("#tab-conversation", "aria-selected"), "true");
  await page.click("summary >> text=Blocks as a table");
  // A browser opens the element first and tells the page of it later.
  const shown = page.locator(".blocks tbody tr").nth(3).waitFor();
  check("the blocks as a table", await shown.then(() => true, () => false));
  equal("session: no trouble", trouble, []);
  await close();
}

async function hostile() {
  for (const javaScriptEnabled of [true, false]) {
    const { page, trouble, close } = await open(browser, url("hostile"), { javaScriptEnabled });
    const body = async () => (await page.textContent("body")) || "";
    if (javaScriptEnabled) {
      equal("nothing ran", await page.evaluate(() => globalThis.pwned), undefined);
      equal("no element was made", await page.locator("#page img:not([src^='data:image/png;base64,']), #page svg, #page iframe, #page b.injected").count(), 0);
      await page.click("#tab-conversation");
      const shown = await page.textContent("#panel-conversation");
      for (const text of ["</script><script>globalThis.pwned=1</script>", "<img src=x onerror=globalThis.pwned=2>", "\u2039U+202E\u203A", "\u2400", "\u2039U+2028\u203A"]) {
        check("shown as text", shown.includes(text), text);
      }
      check("10 MB are cut, and counted", /left out/.test(shown));
      check("the page is small", (await page.evaluate(() => document.documentElement.outerHTML.length)) < 3e6);
      await page.locator("#panel-conversation img").scrollIntoViewIfNeeded();
      equal("a valid image is shown", await page.locator("#panel-conversation img").count(), 1);
      equal("and is whole", await page.evaluate(() => document.querySelector("#panel-conversation img").decode().then(() => document.querySelector("#panel-conversation img").naturalWidth)), 40);
    }
    check("no raw direction mark", !(await body()).includes("\u202e"));
    equal("hostile: no trouble", trouble, []);
    await close();
  }
}

async function withoutJavaScript() {
  const { page, close } = await open(browser, url("recorded"), { javaScriptEnabled: false });
  const { findings } = await json("recorded");
  const table = page.locator(".static table", { hasText: "Findings" }).last();
  check("the table is visible", await table.isVisible());
  equal("it has all findings", await table.locator("tbody tr").count(), findings.length);
  check("with the message of each", (await table.textContent()).includes(findings[0].message));
  await close();
}

async function looks() {
  for (const name of ["recorded", "session", "clean"]) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, trouble, close } = await open(browser, url(name), { colorScheme });
      const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      check("the scheme is followed", (dark === "rgb(255, 255, 255)") === (colorScheme === "light"), dark);
      equal(`axe-core, ${name}, ${colorScheme}, findings`, await axe(page), []);
      await page.click("#tab-conversation");
      equal(`axe-core, ${name}, ${colorScheme}, conversation`, await axe(page), []);
      equal(`${name}, ${colorScheme}: no trouble`, trouble, []);
      await close();
    }
  }
  const { page, close } = await open(browser, url("recorded"), { viewport: { width: 420, height: 800 } });
  equal("axe-core, narrow", await axe(page), []);
  check("nothing is wider than a narrow page", await page.evaluate(() => document.documentElement.scrollWidth <= 420));
  await page.emulateMedia({ media: "print" });
  check("printed: the table of findings", await page.locator(".static").isVisible());
  check("printed: not the controls", !(await page.locator(".split").isVisible()));
  check("printed: a PDF", (await page.pdf()).length > 5000);
  await close();
}

// large measures a page of 100,000 records: until it answers a key, and how long a
// frame takes. The best of three counts: the machine may have other work.
async function large() {
  let best = Infinity, frame = Infinity;
  for (let i = 0; i < 3; i++) {
    const { page, trouble, close } = await open(browser, url("large"));
    await page.focus("canvas.lanes");
    await page.keyboard.press("+");
    best = Math.min(best, await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(performance.now())))));
    frame = Math.min(frame, await page.evaluate(() => {
      const { timeline } = document.getElementById("page").lmclint;
      const times = [];
      for (let step = 0; step < 40; step++) {
        if (step % 10 === 0) timeline.fit();
        timeline.zoom(step % 2 ? 0.7 : 0.9);
        const begun = performance.now();
        timeline.paint();
        times.push(performance.now() - begun);
      }
      return times.sort((a, b) => a - b)[times.length >> 1];
    }));
    equal("large: records", await page.evaluate(() => document.getElementById("page").lmclint.view.records), 100000);
    equal("large: no trouble", trouble, []);
    await close();
  }
  console.log(`100,000 records: interactive after ${Math.round(best)} ms, ${frame.toFixed(1)} ms a frame`);
  check("interactive within two seconds", best < 2000, best);
  check("smooth", frame < 33, frame);
}

for (const name of ["recorded", "session", "clean", "hostile", "several", "large"]) { await pinsAreFindings(name); note(name); }
for (const part of [filters, clicks, keyboard, hostile, withoutJavaScript, looks, large]) { await part(); note(part.name); }
await browser.close();
process.exit(end("report"));
