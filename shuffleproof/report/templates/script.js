
"use strict";
const order = new Intl.Collator("en", { numeric: true });
// Numbers are compared as numbers where both cells begin with one; everything else as text, with its digits in numeric order.
const number = text => /^[-+]?[.\d]/.test(text) ? parseFloat(text.replace(/,/g, "")) : NaN;
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const text = row => row.cells[column].innerText.trim();
      const compare = (a, b) => {
        const x = number(text(a)), y = number(text(b));
        return sign * (Number.isNaN(x) || Number.isNaN(y) ? order.compare(text(a), text(b)) : x - y);
      };
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(compare));
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
    });
  });
}
const filters = document.getElementById ? document.getElementById("filters") : null;
if (filters) {
  const shown = document.getElementById("shown"), folds = [...document.querySelectorAll(".ledger")];
  const rows = folds.flatMap(fold => [...fold.querySelectorAll("tbody tr")]);
  const apply = () => {
    const words = filters.elements.words.value.toLowerCase().split(/\s+/);
    const wanted = ["status", "paper", "kind"].map(name => [name, filters.elements[name].value]);
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !(wanted.every(([name, value]) => !value || row.dataset[name] === value) && words.every(word => text.includes(word)));
      count += !row.hidden;
    }
    // A paper unfolds where something was asked for and found, and goes where nothing was; where nothing is asked, all are as they were.
    const asked = [...filters.elements].some(field => field.value);
    for (const fold of folds) {
      const found = fold.querySelector("tbody tr:not([hidden])") !== null;
      fold.hidden = !found;
      if (asked) fold.open = found;
    }
    shown.textContent = `${count} of ${rows.length} statements`;
  };
  filters.addEventListener("input", apply);
  filters.addEventListener("submit", event => event.preventDefault());
  apply();
}
