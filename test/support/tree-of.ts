import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** Every file below a folder with its mode and digest, links with their targets. */
export function treeOf(dir: string): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of fs.readdirSync(dir, { recursive: true, encoding: "utf8" }).toSorted()) {
    const file = path.join(dir, name);
    const stat = fs.lstatSync(file);
    if (stat.isSymbolicLink()) tree[name] = `-> ${fs.readlinkSync(file)}`;
    else if (stat.isFile()) tree[name] = `${stat.mode.toString(8)} ${digestOf(fs.readFileSync(file))}`;
  }
  return tree;
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
