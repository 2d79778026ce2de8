// Opens built pages in headless Chromium without a network: the console is empty, nothing is asked of any other place, axe-core finds
// nothing, no page is wider than the window, the skip link works by keyboard, the calculator says what CPython says.
// Usage: node pages.mjs JOB, in a folder where puppeteer-core and axe-core are installed. JOB is JSON: {browser, folder, kept, pages, calculator}.
// Writes one JSON line for each finding; exit code 0 if it could look at everything.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const job = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const require = createRequire(path.join(process.cwd(), "package.json"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf-8");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".zip": "application/zip" };

const server = createServer(async (request, response) => {
  const wanted = path.normalize(path.join(job.folder, decodeURIComponent(new URL(request.url, "http://127.0.0.1").pathname)));
  try {
    if (!wanted.startsWith(job.folder)) throw new Error("outside");
    const content = await readFile(wanted);
    response.writeHead(200, { "content-type": TYPES[path.extname(wanted)] ?? "application/octet-stream" });
    response.end(request.method === "HEAD" ? "" : content);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}/`;
const found = (page, what) => console.log(JSON.stringify({ page, what }));

const browser = await puppeteer.launch({
  executablePath: job.browser, headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"],
});

async function opened(name, width, scheme) {
  const page = await browser.newPage();
  const label = `${name} (${width}, ${scheme})`;
  page.on("console", message => { if (["error", "warn"].includes(message.type()) && !/favicon/.test(message.location()?.url ?? "")) found(label, `console: ${message.text()} ${message.location()?.url ?? ""}`); });
  page.on("pageerror", error => found(label, `error: ${error.message}`));
  page.on("request", request => { if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) found(label, `asks elsewhere: ${request.url()}`); });
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setBypassCSP(true);
  await page.goto(origin + name, { waitUntil: "load" });
  return { page, label };
}

async function judged(page, label) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  // axe-core does not count MathML as text; browsers and screen readers do.
  const mathematics = ({ id, nodes }) => id === "empty-table-header" && nodes.every(({ html }) => html.includes("<math"));
  for (const { id, help, nodes } of violations.filter(one => !mathematics(one))) found(label, `${id}: ${help} (${nodes.length}): ${nodes[0].target.join(" ")}: ${nodes[0].html.slice(0, 160)}: ${(nodes[0].any[0]?.message ?? "").slice(0, 200)}`);
  const wide = await page.evaluate(() => {
    const most = document.documentElement.clientWidth;
    const over = document.scrollingElement.scrollWidth - most;
    const guilty = over > 1 ? [...document.querySelectorAll("main *, body *")].find(one => one.getBoundingClientRect().right > most + 1 && getComputedStyle(one).position !== "fixed") : null;
    return over > 1 ? `${over} px wider than the window${guilty ? `: ${guilty.outerHTML.slice(0, 120)}` : ""}` : null;
  });
  if (wide) found(label, wide);
  const marks = await page.evaluate(() => ["main, [role=main]", "nav, [role=navigation]", "h1"].filter(name => !document.querySelector(name)));
  if (marks.length) found(label, `no landmark: ${marks.join(", ")}`);
}

async function skipped(page, label) {
  await page.keyboard.press("Tab");
  const [name, target] = await page.evaluate(() => [document.activeElement.textContent.trim(), document.activeElement.getAttribute("href")]);
  await page.keyboard.press("Enter");
  const [hash, there] = await page.evaluate(() => [location.hash, Boolean(document.querySelector(location.hash || "#no-such-place"))]);
  if (!/content/i.test(name) || hash !== target || !there) found(label, `the first stop of the keyboard is ${JSON.stringify(name)}, which leads to ${hash || "nothing"}`);
}

for (const { name, picture } of job.pages) for (const width of job.widths ?? [1300, 390]) for (const scheme of job.schemes ?? ["light", "dark"]) {
  const { page, label } = await opened(name, width, scheme);
  await judged(page, label);
  if (scheme === "light") await skipped(page, label);
  if (picture) await page.screenshot({ path: path.join(job.kept, `${picture}-${width}-${scheme}.png`), fullPage: Boolean(job.whole) });
  await page.close();
}

// Waits until the calculator has come to one of these states; where its Python has broken, or nothing comes, says what the page says.
async function come(page, label, states) {
  await page.waitForFunction(states => { const { done, state } = document.getElementById("bracket-form").dataset; return state === "broken" || states.includes(done); }, { timeout: 120000 }, states).catch(() => {});
  const { done, state, said } = await page.evaluate(() => ({ ...document.getElementById("bracket-form").dataset, said: document.getElementById("calculator-status").innerText }));
  if (state !== "broken" && states.includes(done)) return true;
  found(label, `the calculator is ${JSON.stringify(state ?? "not ready")} and says ${JSON.stringify(said.slice(-600))}`);
  return false;
}

async function calculated() {
  const { page, label } = await opened("calculator.html", 1300, "light");
  await page.waitForFunction(() => !document.getElementById("bracket-form").hidden, { timeout: 20000 });
  for (const { given, expected } of job.calculator) {
    const before = await page.evaluate(given => {
      const form = document.getElementById("bracket-form");
      for (const [name, value] of Object.entries(given)) { form.elements[name].value = value; form.elements[name].dispatchEvent(new Event("input", { bubbles: true })); }
      form.dataset.done = "";
      form.requestSubmit();
      return form.hidden;
    }, given);
    if (before) { found(label, "the form is hidden"); break; }
    if (!await come(page, label, ["answer", "curve", "refused"])) return;
    const text = await page.evaluate(() => document.querySelector("#calculator-answer").innerText + "\n" + document.querySelector("#calculator-status").innerText);
    for (const wanted of expected) if (!text.includes(wanted)) found(label, `does not say ${JSON.stringify(wanted)}: ${text.slice(0, 400)}`);
  }
  if (!await come(page, label, ["curve", "refused"])) return;
  await judged(page, `${label}, answered`);
  const kept = await page.evaluate(() => location.href);
  for (const [width, scheme] of [[1300, "light"], [390, "dark"]]) {
    const again = await opened(new URL(kept).pathname.slice(1) + new URL(kept).hash, width, scheme);
    if (!await come(again.page, again.label, ["curve"])) return;
    const [first, second] = await Promise.all([page, again.page].map(one => one.evaluate(() => document.querySelector("#calculator-answer").innerText)));
    if (first !== second) found(again.label, "the link to the inputs gives another answer");
    await judged(again.page, `${again.label}, answered`);
    await again.page.screenshot({ path: path.join(job.kept, `calculator-answered-${width}-${scheme}.png`), fullPage: true });
    await again.page.close();
  }
  await page.close();
}
if (job.calculator) await calculated();
await browser.close();
server.close();
