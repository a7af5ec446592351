import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** Another project's package, fetched at bench time and never a dependency of ours. */
export interface Peer {
  readonly name: string;
  readonly version: string;
  /** The package's folder. */
  readonly dir: string;
}

/**
 * Fetches an npm package into the cache unless it is there. The version is pinned by the bench, so that two runs
 * mean the same; no install script runs, and optional (platform) packages are left out.
 */
export function fetchPeer({
  name,
  version,
  cacheDir,
}: {
  name: string;
  version: string;
  cacheDir: string;
}): Peer {
  const home = path.join(cacheDir, "peers", `${name.replaceAll(/[^A-Za-z0-9.-]/g, "-")}-${version}`);
  if (!fs.existsSync(home)) install({ wanted: `${name}@${version}`, home });
  return { name, version, dir: path.join(home, "node_modules", name) };
}

// Installed aside and renamed, so that an interrupted fetch is not mistaken for a peer.
function install({ wanted, home }: { wanted: string; home: string }): void {
  process.stderr.write(`bench: fetching ${wanted} …\n`);
  const temp = `${home}.partial`;
  fs.rmSync(temp, { recursive: true, force: true });
  fs.mkdirSync(temp, { recursive: true });
  fs.writeFileSync(path.join(temp, "package.json"), '{"private":true}\n');
  const flags = ["--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = spawnSync("npm", ["install", ...flags, wanted], { cwd: temp, encoding: "utf8" });
  if (done.status !== 0) {
    const reason = done.error?.message ?? done.stderr.trim().split("\n").slice(-3).join(" ");
    throw new Error(`Cannot fetch peer "${wanted}": ${reason}`);
  }
  fs.renameSync(temp, home);
}
