import { isGitFolder } from "./git-folder.ts";
import type { Git, GitOptions } from "./git.ts";
import { folded, type RefusedName, type TreeEntry } from "./tree-entries.ts";

/**
 * Submodules come as empty folders, as in any clone; whoever works there may fetch them. So what says how is looked at: a
 * name or path that leads elsewhere, an address that is a command or an option, a command of its own.
 */
export async function findRefusedSubmodules(
  git: Git,
  entries: readonly TreeEntry[],
  options: GitOptions,
): Promise<RefusedName[]> {
  const refused: RefusedName[] = [];
  for (const { name, object } of entries.filter((entry) => folded(entry.name) === ".gitmodules")) {
    const settings = await git(["config", "--blob", object, "--null", "--list"], options);
    for (const line of settings.split("\0").filter((each) => each !== "")) {
      const why = whyRefused(line);
      if (why !== undefined) refused.push({ name, why: `"${name}" has a submodule ${why}` });
    }
  }
  return refused;
}

function whyRefused(line: string): string | undefined {
  const [key = "", ...rest] = line.split("\n");
  const value = rest.join("\n");
  const [, name, setting] = /^submodule\.(.*)\.([^.]*)$/s.exec(key) ?? [];
  if (name !== undefined && leadsElsewhere(name)) return `whose name leads elsewhere, "${name}"`;
  if (setting === "path" && leadsElsewhere(value)) return `whose path leads elsewhere, "${value}"`;
  if (setting === "url" && /^-|^ext::|[\n\r]/i.test(value)) return `whose address is a command, "${value}"`;
  if (setting === "update" && value.startsWith("!")) return `that would run "${value.slice(1)}"`;
  return undefined;
}

function leadsElsewhere(name: string): boolean {
  const parts = name.split(/[/\\]/);
  return /^[-/\\]|^$/.test(name) || parts.some((part) => part === ".." || isGitFolder(part));
}
