import { fileURLToPath } from "node:url";
import type { OwnPrograms } from "../tasks/supervise/own-program.ts";

/** The programs that tasks start: beside this file in the package, in their own folder in a clone. */
export function ownPrograms(): OwnPrograms {
  const isClone = import.meta.url.endsWith(".ts");
  const find = (name: string): string =>
    fileURLToPath(new URL(isClone ? `../programs/${name}.ts` : `./${name}.js`, import.meta.url));
  return { agentHost: find("agent-host"), fleetFollower: find("fleet-follower") };
}
