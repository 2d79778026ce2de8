// A complete harness: the laws of binary and k-ary randomized response. Replace `law` by a call of your own code. Run: node harness.js
"use strict";
const about = { name: "starter", version: "1", language: "javascript" };
const able = { operations: ["randomizer_law"], methods: [], randomizers: ["binary-rr", "k-rr"] };

class Refused extends Error {}
class Unsupported extends Error {}

// "3", "7/3", "+.5", "1e300" as an exact ratio of two BigInts.
function ratio(text) {
  const [above, below = [1n, 1n]] = text.split("/").map(part => decimal(part));
  return [above[0] * below[1], above[1] * below[0]];
}

function decimal(text) {
  const parts = /^([-+]?)(?=[.]?\d)(\d*)[.]?(\d*)(?:e([-+]?\d+))?$/i.exec(text.trim());
  if (!parts) throw new Refused(`${text} is not a number`);
  const power = Number(parts[4] ?? 0) - parts[3].length;
  const digits = BigInt(parts[2] + parts[3]) * (parts[1] === "-" ? -1n : 1n);
  return power >= 0 ? [digits * 10n ** BigInt(power), 1n] : [digits, 10n ** BigInt(-power)];
}

function law({ randomizer, k, epsilon0, input }) {
  const size = randomizer === "binary-rr" ? 2 : Number(k), x = Number(input);
  if (!(Number.isInteger(size) && x >= 0 && x < size)) throw new Refused("the input must be one of 0, ..., k - 1");
  const logarithm = /^ln\s*\(?(.*?)\)?$/.exec(epsilon0);
  const [a, b] = ratio(logarithm ? logarithm[1] : epsilon0);
  if (logarithm ? a < b : a < 0n) throw new Refused("epsilon0 must be at least 0");
  const value = {};
  if (logarithm) {
    const whole = a + BigInt(size - 1) * b;
    for (let y = 0; y < size; y++) value[y] = `${y === x ? a : b}/${whole}`;
  } else {
    const epsilon = Number(a) / Number(b);
    if (!(epsilon <= 700)) throw new Unsupported("e^epsilon0 is beyond a double");
    const small = Math.exp(-epsilon), whole = 1 + (size - 1) * small;
    for (let y = 0; y < size; y++) value[y] = String((y === x ? 1 : small) / whole);
  }
  return value;
}

function answer(given) {
  try {
    return { claim: "law", value: law(given) };
  } catch (error) {
    if (error instanceof Unsupported) return { unsupported: error.message };
    if (error instanceof Refused) return { refused: error.message };
    throw error;
  }
}

require("readline").createInterface({ input: process.stdin }).on("line", line => {
  const ask = JSON.parse(line);
  if (ask.cmd === "stop") process.exit(0);
  const replies = { start: { version: 1, implementation: about, capabilities: able }, configure: { configured: true } };
  console.log(JSON.stringify(replies[ask.cmd] ?? { seq: ask.seq, ...answer(ask.input) }));
});
