import fs from "node:fs";
import path from "node:path";
import type { BenchContext } from "./measure.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");

/** The `holdfast` command as it is installed. In the clone itself it would run the sources, unbuilt. */
export function installedCommand({ scratchDir }: BenchContext): string[] {
  return installPackage(ROOT, path.join(scratchDir, "installed"));
}

/** Makes the package of a built clone in a folder, unless it is there, and returns its command. */
export function installPackage(clone: string, dir: string): string[] {
  if (!fs.existsSync(dir)) {
    fs.mkdirSync(dir);
    fs.cpSync(path.join(clone, "bin"), path.join(dir, "bin"), { recursive: true });
    fs.copyFileSync(path.join(clone, "package.json"), path.join(dir, "package.json"));
    fs.symlinkSync(path.join(clone, "dist"), path.join(dir, "dist"));
  }
  return [process.execPath, path.join(dir, "bin", "holdfast.js")];
}
