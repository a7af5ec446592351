// Finds a Chromium for the page: the one that HOLDFAST_CHROMIUM names, else one on the PATH. A script that cannot do without one
// installs Debian's package, if it runs as root and there is apt.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of a Chromium; undefined where there is none. */
export function findChromium(env = process.env) {
  return env.HOLDFAST_CHROMIUM || onPath(env);
}

/** The same; undefined where none can be installed either. Says in one line when it installs. */
export function findOrInstallChromium(env = process.env) {
  const found = findChromium(env);
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
