import fs from "node:fs";
import path from "node:path";
import { mayMakeControlGroups } from "../../lib/control-group.ts";
import { findPrograms } from "../../lib/find-programs.ts";
import { hasProc } from "../../lib/process-table.ts";

// What every task reads, before what only some do; supervise.sh begins.
const parts = ["take-charge", "end", "run", "look", "wait", "watch", "wake"];

/** What a task asks for beyond what every task needs. */
export interface SupervisorNeeds {
  /** How the head of its output is cut off, by the name of the part that does it. */
  keepTail?: "punch" | "rotate" | undefined;
  waitsForOthers?: boolean;
  /** It gets a control group of its own; by default where this process may make one. */
  hasGroup?: boolean;
}

const texts = new Map<string, string>();

/**
 * The supervisor's script, for what this system shows of its processes and for what the task asks for. Tasks are started with the
 * text, never with the path.
 */
export function supervisorText({
  keepTail,
  waitsForOthers = false,
  hasGroup = mayMakeControlGroups(),
}: SupervisorNeeds = {}): string {
  const names = [
    hasProc() ? "table-proc" : "table-ps",
    ...parts,
    ...(keepTail === undefined ? [] : [keepTail]),
    ...(waitsForOthers ? ["queue"] : []),
    ...(hasGroup ? ["cgroup"] : []),
    "supervise",
  ];
  return names.map(partText).join("");
}

/** Only Linux can cut off the head of an output while others write to it, and there not by busybox's tools. */
export function wayToKeepTail(): "punch" | "rotate" {
  const [tool] = hasProc() ? findPrograms("fallocate", "/usr/bin:/bin") : [];
  return tool !== undefined && path.basename(fs.realpathSync(tool)) === "fallocate" ? "punch" : "rotate";
}

function partText(name: string): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const text = fs.readFileSync(new URL(`./sh/${name}.sh`, import.meta.url), "utf8");
  texts.set(name, text);
  return text;
}
