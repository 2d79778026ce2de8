// The form, the answer and the curve. Python runs in a worker, so the page stays usable; stopping ends the worker and starts another.
const here = new URL("./", import.meta.url);
const form = document.getElementById("bracket-form"), fields = form.elements;
const status = document.getElementById("calculator-status");
const answer = document.getElementById("calculator-answer"), curve = document.getElementById("calculator-curve");
const link = document.getElementById("calculator-link");
// The points of the curve in this order: its shape is seen after six of them.
const ORDER = [0, 10, 4, 8, 2, 6, 1, 3, 5, 7, 9];
const DELTAS = ["1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9", "1e-10", "1e-11", "1e-12"];

let worker, waiting = new Map(), next = 0, run = 0;

function start() {
  worker?.terminate();
  for (const { reject } of waiting.values()) reject(new Error("stopped"));
  waiting = new Map();
  worker = new Worker(new URL("worker.js", here), { type: "module" });
  const mine = worker;
  worker.onerror = event => { if (mine === worker) broke(event.message ?? "no worker"); };
  worker.onmessage = ({ data }) => {
    if (mine !== worker) return;
    if (data.id === undefined) {
      if (data.ready) form.dataset.state = "ready";
      else broke(data.broken);
      return;
    }
    const { resolve, reject } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if (data.answer !== undefined) resolve?.(data.answer);
    else reject?.(new Error(data.refused ?? data.broken));
  };
}

// Nobody waits for what will not answer; the next question begins Python again.
function broke(reason) {
  form.dataset.state = "broken";
  status.textContent = `Python does not start here: ${reason}`;
  for (const { reject } of waiting.values()) reject(new Error(status.textContent));
  waiting = new Map();
}

function ask(question) {
  return new Promise((resolve, reject) => {
    const id = next++;
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, question });
  });
}

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) key in made ? made[key] = value : made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const shown = label => !label.hidden;
function inputs() {
  const labels = [...form.querySelectorAll("label")].filter(shown);
  return Object.fromEntries(labels.map(label => [label.control.name, label.control.value.trim()]).filter(([, value]) => value));
}

function fit() {
  const kind = fields.randomizer.value;
  for (const label of form.querySelectorAll("label[data-for]")) label.hidden = !label.dataset.for.split(" ").includes(kind);
  link.href = "#" + new URLSearchParams(inputs());
}

function fromLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  let known = false;
  for (const [name, value] of given) {
    const field = fields[name];
    if (!field || field.type === "submit" || field.type === "button") continue;
    known = true;
    if (field.tagName !== "SELECT" || [...field.options].some(option => option.value === value)) field.value = value;
  }
  fit();
  return known;
}

function statement(id) {
  return element("a", { href: new URL(`../../statements/${id}.html`, here).href }, id);
}

function code(text) {
  const button = element("button", { type: "button", className: "copy" }, "copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  });
  return element("div", { className: "command" }, element("pre", { tabIndex: 0 }, element("code", {}, text)), button);
}

function show(found) {
  const { lower, upper } = found.sides;
  const line = element("p", { className: "bracket" }, lower ? `${lower.value} ≤ ε ≤ ${upper.value}` : `ε ≤ ${upper.value}`);
  const about = element("p", {}, `${found.of}; neighbours: ${found.relation}; both ends certified, ${found.digits} digits, rounded outward.`);
  const rows = [["at most", upper], ["at least", lower]].filter(([, side]) => side).map(([name, side]) => element("tr", {},
    element("th", { scope: "row" }, name),
    element("td", {}, element("b", {}, side.value), element("br"),
      ...(side === upper ? ["holds for: ", element("b", {}, side.scope), element("br")] : []),
      `${side.method}, by `, ...side.statements.flatMap((id, at) => [at ? ", " : "", statement(id)]),
      side.statements.length > 1 ? `, of which the weakest is ${side.status}` : `, which is ${side.status}`, element("br"),
      element("small", {}, side.claim))));
  const table = element("table", {}, element("caption", {}, "What each end says, the statements that it rests on, and the weakest of their statuses"), element("tbody", {}, ...rows));
  const again = [element("h2", { id: "the-same-elsewhere" }, "The same elsewhere"),
    element("p", {}, "Python:"), code(`import shuffleproof as sp\n${found.python}`),
    element("p", {}, "Command line:"), code([upper, lower].filter(Boolean).map(side => side.command).join("\n"))];
  answer.replaceChildren(line, about, table, ...again);
  answer.hidden = false;
}

const SVG = "http://www.w3.org/2000/svg";
function drawn(name, properties, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function plot(points) {
  const narrow = form.clientWidth < 500;
  const width = narrow ? 400 : 640, height = 300, left = 64, right = 92, top = 14, bottom = 44, every = narrow ? 5 : 2;
  const values = points.flatMap(([, low, high]) => [low, high]).filter(value => value !== null && Number(value) > 0).map(Number);
  if (!values.length) return curve.replaceChildren();
  const least = Math.log10(Math.min(...values)), most = Math.log10(Math.max(...values)), spare = Math.max((most - least) * .08, .02);
  const x = at => left + at * (width - left - right) / (DELTAS.length - 1);
  const y = value => top + (most + spare - Math.log10(value)) / (most - least + 2 * spare) * (height - top - bottom);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "epsilon against delta: both ends; the numbers are in the table below" });
  for (const [at, delta] of DELTAS.entries()) if (at % every === 0) svg.append(drawn("text", { x: x(at), y: height - 24, "text-anchor": "middle" }, delta));
  svg.append(drawn("text", { x: (left + width - right) / 2, y: height - 5, "text-anchor": "middle" }, "δ"));
  svg.append(drawn("text", { x: 4, y: top + 10 }, "ε"));
  for (let at = 0; at <= 4; at++) {
    const value = 10 ** (least + (most - least) * at / 4);
    svg.append(drawn("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: "grid" }));
    svg.append(drawn("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, value.toPrecision(2)));
  }
  for (const [column, name, dash] of [[2, "at most", ""], [1, "at least", "6 4"]]) {
    const own = points.filter(point => point[column] !== null && Number(point[column]) > 0);
    if (!own.length) continue;
    svg.append(drawn("polyline", { points: own.map(point => `${x(point[0])},${y(point[column])}`).join(" "), class: name.replace(" ", "-"), "stroke-dasharray": dash }));
    for (const point of own) svg.append(drawn("circle", { cx: x(point[0]), cy: y(point[column]), r: 2.5, class: name.replace(" ", "-") }));
    const last = own[own.length - 1];
    const near = own.length && points[points.length - 1]?.[1] ? Math.abs(y(points[points.length - 1][2]) - y(points[points.length - 1][1])) < 16 : false;
    svg.append(drawn("text", { x: x(last[0]) + 8, y: y(last[column]) + 4 + (near ? (column === 2 ? -8 : 8) : 0) }, name));
  }
  const rows = points.map(([at, low, high]) => element("tr", {}, element("th", { scope: "row" }, DELTAS[at]), element("td", {}, low ?? "-"), element("td", {}, high ?? "-")));
  const head = element("thead", {}, element("tr", {}, ...["delta", "epsilon at least", "epsilon at most"].map(name => element("th", { scope: "col" }, name))));
  const table = element("details", {}, element("summary", {}, "the numbers of the curve"), element("table", {}, head, element("tbody", {}, ...rows)));
  curve.replaceChildren(element("h2", { id: "epsilon-against-delta" }, "Epsilon against delta"), svg, element("p", {}, "At every delta by the two methods of the answer above."), table);
  curve.hidden = false;
}

async function compute() {
  const mine = ++run, given = inputs();
  history.replaceState(null, "", link.href = "#" + new URLSearchParams(given));
  answer.hidden = curve.hidden = true;
  fields.stop.disabled = false;
  form.dataset.done = "";
  status.textContent = form.dataset.state === "ready" ? "Computing ..." : "Loading Python ...";
  try {
    const found = await ask({ ask: "bracket", ...given });
    if (mine !== run) return;
    show(found);
    form.dataset.done = "answer";
    const points = [];
    const methods = Object.fromEntries(Object.entries(found.sides).map(([end, side]) => [end, side.method]));
    for (const at of ORDER) {
      status.textContent = `The curve: ${points.length} of ${DELTAS.length} points`;
      const [low, high] = await ask({ ask: "point", ...given, ...methods, delta: DELTAS[at] });
      if (mine !== run) return;
      points.push([at, low, high]);
      points.sort((one, other) => one[0] - other[0]);
      plot(points);
    }
    status.textContent = "Done.";
    form.dataset.done = "curve";
  } catch (error) {
    if (mine !== run) return;
    status.textContent = error.message;
    form.dataset.done = "refused";
  }
  fields.stop.disabled = true;
}

form.addEventListener("input", fit);
form.addEventListener("submit", event => { event.preventDefault(); afresh(); compute(); });
fields.stop.addEventListener("click", () => { run++; form.dataset.state = ""; start(); fields.stop.disabled = true; status.textContent = "Stopped."; });
function afresh() { if (waiting.size || form.dataset.state === "broken") { form.dataset.state = ""; start(); } }

let served = false;
try {
  served = (await fetch(new URL("parts/shuffleproof.zip", here), { method: "HEAD" })).ok;
} catch { /* read from files */ }
if (served) {
  form.hidden = false;
  const asked = fromLink();
  window.addEventListener("hashchange", () => { if (fromLink()) { afresh(); compute(); } });
  start();
  if (asked) compute();
} else {
  document.getElementById("calculator-absent").hidden = false;
}
