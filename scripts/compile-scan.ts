// Compiles src/scan/assembly to WebAssembly. The build embeds the bytes, and the test of src/scan runs them.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const compiler = fileURLToPath(new URL("../node_modules/assemblyscript/bin/asc.js", import.meta.url));
const source = fileURLToPath(new URL("../src/scan/assembly/find-pair.ts", import.meta.url));
const FLAGS = [
  "--optimizeLevel",
  "3",
  "--runtime",
  "stub",
  "--importMemory",
  "--noAssert",
  "--enable",
  "simd",
];

/** The bytes of a module that works on memory that it is given as `env.memory`. */
export function compileScan(): Uint8Array {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-scan-"));
  try {
    const output = path.join(dir, "scan.wasm");
    // As a program: an import of it would add its own types of arrays and numbers to those of every file here.
    execFileSync(process.execPath, [compiler, path.basename(source), "--outFile", output, ...FLAGS], {
      cwd: path.dirname(source),
      stdio: ["ignore", "ignore", "inherit"],
    });
    return fs.readFileSync(output);
  } finally {
    fs.rmSync(dir, { recursive: true });
  }
}
