import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../../format/paths.ts";
import { createFileAtomic } from "../../../lib/atomic-write.ts";
import { ensurePrivateDir } from "../../../lib/private-dir.ts";
import { browsersMax, cookieMsMax } from "../limits.ts";
import type { Browsers } from "./access.ts";
import { newToken } from "./tokens.ts";

/**
 * The browsers that were let in, a file each in the home, so that none is shut out when the server is started anew. A file is
 * named after a sum of its cookie: who reads the name cannot make the cookie of it. Where the home cannot be written, a
 * browser is known as long as this server lives.
 */
export function openBrowsers(
  home: string,
  { port, now = Date.now }: { port: number; now?: () => number },
): Browsers {
  const dir = holdfastPaths(home).browsersDir;
  const unwritten = new Set<string>();
  const fileOf = (cookie: string): string => path.join(dir, sumOf(cookie));
  return {
    cookieName: `holdfast-${port}`,
    admit() {
      const cookie = newToken();
      try {
        ensurePrivateDir(dir, undefined, 2);
        forgetOldest(dir, now());
        createFileAtomic(fileOf(cookie), "", { isDurable: false });
      } catch {
        unwritten.add(cookie);
      }
      return cookie;
    },
    knows(cookie) {
      if (unwritten.has(cookie)) return true;
      const stat = fs.lstatSync(fileOf(cookie), { throwIfNoEntry: false });
      return stat?.isFile() === true && now() - stat.mtimeMs < cookieMsMax;
    },
    forget(cookie) {
      unwritten.delete(cookie);
      fs.rmSync(fileOf(cookie), { force: true });
    },
  };
}

function sumOf(cookie: string): string {
  return createHash("sha256").update(cookie).digest("hex");
}

function forgetOldest(dir: string, nowMs: number): void {
  const known = fs
    .readdirSync(dir)
    .map((name) => ({ file: path.join(dir, name), at: fs.lstatSync(path.join(dir, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { file } of known.filter(
    ({ at }, place) => place >= browsersMax - 1 || nowMs - at > cookieMsMax,
  ))
    fs.rmSync(file, { force: true });
}
