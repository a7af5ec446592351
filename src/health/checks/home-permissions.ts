import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { namesIn } from "../../lib/names-in.ts";
import { plural } from "../../lib/quantities.ts";
import type { HealthCheck } from "../health-check.ts";

/** Whether only its owner can enter the home: it holds commands, outputs and copies of sessions. */
export const homePermissions: HealthCheck = {
  name: "home-permissions",
  group: "environment",
  run({ home }) {
    const stat = fs.lstatSync(home, { throwIfNoEntry: false });
    if (!stat) return { status: "ok", summary: "no home yet; the first task creates it" };
    if (!stat.isDirectory())
      return {
        status: "fail",
        summary: "the home is a link, or not a folder",
        findings: [{ text: home, path: home }],
      };
    const uid = process.getuid?.();
    if (uid !== undefined && stat.uid !== uid && uid !== 0) {
      return {
        status: "fail",
        summary: `the home belongs to user ${stat.uid}`,
        suggestion: { program: "sudo", args: ["chown", "-R", String(uid), home] },
      };
    }
    const links = linksIn(home);
    if (links.length > 0)
      return {
        status: "fail",
        summary: `${plural(links.length, "link")} where a folder of the home should be; nothing below is read or written`,
        findings: links.map((link) => ({ text: link, path: link })),
      };
    if ((stat.mode & 0o077) === 0) return { status: "ok", summary: "only you can open the home" };
    return {
      status: "fail",
      summary: `others can open the home (mode ${(stat.mode & 0o777).toString(8)})`,
      suggestion: { program: "chmod", args: ["700", home] },
      repairs: [{ path: home, text: "make it private (mode 700)", run: () => fs.chmodSync(home, 0o700) }],
    };
  },
};

// Of the folders that commands and outputs are in: a planted link would lead them elsewhere.
function linksIn(home: string): string[] {
  const { projectsDir } = holdfastPaths(home);
  const below = (dir: string): string[] => namesIn(dir).map((name) => path.join(dir, name));
  return [...below(home), ...below(projectsDir)].filter((file) =>
    fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink(),
  );
}
