import fs from "node:fs";
import { shellQuote } from "../../lib/shell-quote.ts";
import type { HealthCheck } from "../health-check.ts";

/** Whether only its owner can enter the home: it holds commands, outputs and copies of sessions. */
export const homePermissions: HealthCheck = {
  name: "home-permissions",
  group: "environment",
  run({ home }) {
    const stat = fs.lstatSync(home, { throwIfNoEntry: false });
    if (!stat) return { status: "ok", summary: "no home yet; the first task makes it" };
    if (!stat.isDirectory())
      return {
        status: "fail",
        summary: "the home is a link or no folder",
        findings: [{ text: home, path: home }],
      };
    const uid = process.getuid?.();
    if (uid !== undefined && stat.uid !== uid && uid !== 0) {
      return {
        status: "fail",
        summary: `the home belongs to user ${stat.uid}`,
        mend: `sudo chown -R "$USER" ${quoted(home)}`,
      };
    }
    if ((stat.mode & 0o077) === 0) return { status: "ok", summary: "only you can enter the home" };
    return {
      status: "fail",
      summary: `others can enter the home (mode ${(stat.mode & 0o777).toString(8)})`,
      mend: `chmod 700 ${quoted(home)}`,
      repairs: [{ path: home, text: "make it private (mode 700)", run: () => fs.chmodSync(home, 0o700) }],
    };
  },
};

// A word as a shell takes it for one, for commands that a person is given to copy.
function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : shellQuote(word);
}
