// Python in the browser: everything is read from the folder `parts` beside this file, nothing from a network elsewhere.
import { loadPyodide } from "./parts/pyodide.mjs";

const parts = new URL("./parts/", import.meta.url).href;
const ready = (async () => {
  const python = await loadPyodide({ indexURL: parts });
  for (const name of ["python-flint.zip", "shuffleproof.zip"]) {
    const answer = await fetch(parts + name);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    python.unpackArchive(await answer.arrayBuffer(), "zip", { extractDir: "/packages" });
  }
  python.runPython("import sys; sys.path.insert(0, '/packages'); import answers");
  return python.globals.get("sys").modules.get("answers").answered;
})();

ready.then(
  () => postMessage({ ready: true }),
  error => postMessage({ broken: String(error) }),
);
onmessage = async ({ data }) => {
  try {
    const answered = await ready;
    postMessage({ id: data.id, ...JSON.parse(answered(JSON.stringify(data.question))) });
  } catch (error) {
    postMessage({ id: data.id, broken: String(error) });
  }
};
