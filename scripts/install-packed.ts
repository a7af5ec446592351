import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ownModules = fileURLToPath(new URL("../node_modules", import.meta.url));

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/**
 * Installs a tarball into `dir` without a network: unpacked, beside links to what its manifest asks for and to `extra`.
 * Nothing else is there, so an import of a package that only the clone has fails as it does for a user.
 */
export function installPacked(tarball: string, dir: string, { extra = [] }: { extra?: string[] } = {}): void {
  const modules = path.join(dir, "node_modules");
  fs.mkdirSync(modules, { recursive: true });
  execFileSync("tar", ["xzf", tarball], { cwd: modules });
  fs.renameSync(path.join(modules, "package"), path.join(modules, "holdfast"));
  // Grows while it is walked, until everything that is needed is linked.
  const linked = new Set([...extra, ...neededBy(path.join(modules, "holdfast"))]);
  for (const name of linked) {
    for (const needed of neededBy(path.join(ownModules, name))) linked.add(needed);
    fs.mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    fs.symlinkSync(path.join(ownModules, name), path.join(modules, name));
  }
}

// What is for another platform is not there.
function neededBy(dir: string): string[] {
  const { dependencies, optionalDependencies } = JSON.parse(
    fs.readFileSync(path.join(dir, "package.json"), "utf8"),
  ) as Manifest;
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  return names.filter((name) => fs.existsSync(path.join(ownModules, name)));
}
