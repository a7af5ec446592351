// Finds a Chromium for the tests of the page: the one that HOLDFAST_CHROMIUM names, else one on the PATH. Where neither is
// there, Debian's package is installed, if this runs as root and there is apt; else there is none.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of a Chromium; undefined where there is none and none can be installed. Says in one line when it installs. */
export function findChromium(env = process.env) {
  if (env.HOLDFAST_CHROMIUM) return env.HOLDFAST_CHROMIUM;
  const found = onPath(env);
  if (found || process.getuid?.() !== 0 || !fs.existsSync("/usr/bin/apt-get")) return found;
  process.stderr.write("holdfast: no Chromium is here; installing Debian's chromium …\n");
  const apt = (...args) =>
    spawnSync("apt-get", args, { env: { ...env, DEBIAN_FRONTEND: "noninteractive" }, stdio: "ignore" });
  apt("update", "-q");
  apt("install", "-y", "-q", "--no-install-recommends", "chromium", "fonts-dejavu-core");
  return onPath(env);
}

function onPath({ PATH = "" }) {
  for (const name of names)
    for (const dir of PATH.split(path.delimiter)) {
      const file = path.join(dir, name);
      if (dir !== "" && fs.existsSync(file)) return file;
    }
  return undefined;
}
