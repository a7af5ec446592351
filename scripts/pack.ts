// Packs what is built, as it is published: `npm run pack [FOLDER]`, then `npm publish TARBALL`.
//
// The package differs from the clone in two places, so it is packed from a copy (docs/adr/0012). Its manifest has no
// scripts, because npm warns of `prepare` at every install. Its examples import "holdfast" instead of the sources.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { publicEntries } from "./public-entries.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

export interface PackedPackage {
  tarball: string;
  size: number;
  unpackedSize: number;
  /** Relative to the package. */
  files: string[];
}

/** Packs into `folder`. Expects dist/ to be built. */
export function packInto(folder: string): PackedPackage {
  const temp = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-pack-"));
  try {
    execFileSync("tar", ["xzf", npmPack(root, temp).tarball], { cwd: temp });
    const copy = path.join(temp, "package");
    edit(path.join(copy, "package.json"), withoutScripts);
    const examples = path.join(copy, "examples");
    for (const name of fs.readdirSync(examples)) edit(path.join(examples, name), withPackageImports);
    return npmPack(copy, path.resolve(folder));
  } finally {
    fs.rmSync(temp, { recursive: true });
  }
}

// Without scripts, so that what is packed is what was built, and is not built a second time.
function npmPack(cwd: string, folder: string): PackedPackage {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const printed = execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const [{ filename, size, unpackedSize, files }] = JSON.parse(printed) as [
    { filename: string; size: number; unpackedSize: number; files: { path: string }[] },
  ];
  return {
    tarball: path.join(folder, filename),
    size,
    unpackedSize,
    files: files.map((file) => file.path),
  };
}

function edit(file: string, change: (text: string) => string): void {
  fs.writeFileSync(file, change(fs.readFileSync(file, "utf8")));
}

function withoutScripts(text: string): string {
  const manifest = JSON.parse(text) as Record<string, unknown>;
  delete manifest["scripts"];
  delete manifest["devDependencies"];
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function withPackageImports(text: string): string {
  return Object.entries(publicEntries).reduce(
    (changed, [name, source]) =>
      changed.replaceAll(`"../${source}"`, name === "index" ? '"holdfast"' : `"holdfast/${name}"`),
    text,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = "."] = process.argv.slice(2);
  process.stdout.write(`${packInto(folder).tarball}\n`);
}
