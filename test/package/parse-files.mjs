// Prints, as JSON, why this Node cannot parse each of the files that standard input names. Runs none of them.
//
//   node --experimental-vm-modules parse-files.mjs < NAMES
import fs from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import vm from "node:vm";

const wrong = {};
for (const file of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  try {
    sourcesIn(file).map((source) => new vm.SourceTextModule(source));
  } catch (error) {
    wrong[file] = error.message;
  }
}
process.stdout.write(JSON.stringify(wrong));

// The code of a file; of a document, each of its samples.
function sourcesIn(file) {
  const text = fs.readFileSync(file, "utf8");
  if (file.endsWith(".md"))
    return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => stripTypeScriptTypes(code));
  return [file.endsWith(".ts") ? stripTypeScriptTypes(text) : text];
}
