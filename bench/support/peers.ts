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

interface PeerWanted {
  readonly name: string;
  readonly version: string;
  readonly cacheDir: string;
  /** Optional packages that it does not start without, as `name@version`. */
  readonly beside?: readonly string[];
  /** Versions of its dependencies that need no install script, where the one it asks for does. */
  readonly overrides?: Readonly<Record<string, string>>;
}

/**
 * Fetches an npm package into the cache unless it is there. The version is pinned by the bench, so that two runs
 * mean the same; no install script runs, and optional (platform) packages are left out.
 */
export function fetchPeer(peer: PeerWanted): Peer {
  const { name, version, cacheDir } = peer;
  const home = path.join(cacheDir, "peers", `${name.replaceAll(/[^A-Za-z0-9.-]/g, "-")}-${version}`);
  if (!fs.existsSync(home)) install(peer, home);
  return { name, version, dir: path.join(home, "node_modules", name) };
}

// Installed aside and renamed, so that an interrupted fetch is not mistaken for a peer.
function install({ name, version, beside = [], overrides = {} }: PeerWanted, home: string): void {
  const wanted = `${name}@${version}`;
  process.stderr.write(`bench: fetching ${wanted} …\n`);
  const temp = `${home}.partial`;
  fs.rmSync(temp, { recursive: true, force: true });
  fs.mkdirSync(temp, { recursive: true });
  fs.writeFileSync(path.join(temp, "package.json"), JSON.stringify({ private: true, overrides }));
  const flags = ["--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = spawnSync("npm", ["install", ...flags, wanted, ...beside], { cwd: temp, encoding: "utf8" });
  if (done.status !== 0) {
    const reason = done.error?.message ?? done.stderr.trim().split("\n").slice(-3).join(" ");
    throw new Error(`Cannot fetch peer "${wanted}": ${reason}`);
  }
  fs.renameSync(temp, home);
}
