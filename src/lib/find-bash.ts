import path from "node:path";
import { findPrograms } from "./find-programs.ts";

/**
 * The bash in which commands of agents run: rules are decided by its grammar, and other shells read some lines otherwise. The
 * user's own shell if it is one. Undefined where there is none.
 */
export function findBash(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const own = env["SHELL"];
  if (own !== undefined && path.isAbsolute(own) && path.basename(own) === "bash") {
    const [found] = findPrograms("bash", path.dirname(own));
    if (found !== undefined) return found;
  }
  return [...findPrograms("bash", env["PATH"]), ...findPrograms("bash", "/bin:/usr/bin:/usr/local/bin")][0];
}
