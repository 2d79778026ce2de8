// Answers the calculator's questions under node, from the same parts as the page: JSON questions from a file, JSON answers to stdout.
// Usage: node calculator.mjs PARTS_FOLDER QUESTIONS_FILE
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const [parts, questions] = process.argv.slice(2).map(name => path.resolve(name));
const { loadPyodide } = await import(pathToFileURL(path.join(parts, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: parts });
for (const name of ["python-flint.zip", "shuffleproof.zip"]) {
  const content = readFileSync(path.join(parts, name));
  python.unpackArchive(content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength), "zip", { extractDir: "/packages" });
}
python.runPython("import sys; sys.path.insert(0, '/packages'); import answers");
const answered = python.globals.get("sys").modules.get("answers").answered;
console.log(JSON.stringify(JSON.parse(readFileSync(questions, "utf-8")).map(question => JSON.parse(answered(JSON.stringify(question))))));
