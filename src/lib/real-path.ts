import fs from "node:fs";
import path from "node:path";

/**
 * Where an absolute path leads, as the system reads it: through all links, and a `..` behind one leaves its target. Of what is
 * not there, where it would be. A link that leads nowhere is followed, too, because a write through it makes its target.
 */
export function realPath(file: string, linksLeft = 40): string {
  try {
    return fs.realpathSync.native(file);
  } catch {
    const folder = path.dirname(file);
    if (folder === file || linksLeft === 0) return path.resolve(file);
    const target = linkTarget(file);
    if (target === undefined) return path.join(realPath(folder, linksLeft), path.basename(file));
    const start = path.isAbsolute(target) ? target : `${realPath(folder, linksLeft - 1)}/${target}`;
    return realPath(start, linksLeft - 1);
  }
}

function linkTarget(file: string): string | undefined {
  try {
    return fs.readlinkSync(file);
  } catch {
    return undefined;
  }
}
