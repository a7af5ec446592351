import fs from "node:fs";
import path from "node:path";
import type { BenchContext } from "./measure.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");

/** The `holdfast` command as it is installed. In the clone itself it would run the sources, unbuilt. */
export function installedCommand({ scratchDir }: BenchContext): string[] {
  const dir = path.join(scratchDir, "installed");
  if (!fs.existsSync(dir)) {
    fs.mkdirSync(dir);
    fs.cpSync(path.join(ROOT, "bin"), path.join(dir, "bin"), { recursive: true });
    fs.copyFileSync(path.join(ROOT, "package.json"), path.join(dir, "package.json"));
    fs.symlinkSync(path.join(ROOT, "dist"), path.join(dir, "dist"));
  }
  return [process.execPath, path.join(dir, "bin", "holdfast.js")];
}
