import { formatCount } from "../../lib/quantities.ts";
import type { CommandContext } from "./command.ts";
import { realDir } from "./real-dir.ts";

/** Of which sessions a command tells: of this project, unless it is told otherwise. */
export const scopeOptions = [
  { flags: "-a, --all", text: "of every project on this machine", conflicts: ["project"] },
  {
    flags: "-p, --project <dir>",
    text: "of the project of this folder instead of the current one",
    kind: "folder",
  },
] as const;

/** The project that is meant; undefined when all of them are. */
export async function projectInScope(
  context: CommandContext,
  { all, project }: { all?: boolean | undefined; project?: string | undefined },
): Promise<string | undefined> {
  if (all) return undefined;
  const { sessions } = await context.runtime();
  return sessions.projectOf(realDir(context.environment.cwd, project));
}

/** Says how many sessions were left out; by name where something else was listed. */
export async function sayElsewhere(
  context: CommandContext,
  project: string | undefined,
  { isNamed = false }: { isNamed?: boolean } = {},
): Promise<void> {
  if (project === undefined) return;
  const { sessions } = await context.runtime();
  const { parent, machine } = await sessions.elsewhere(project);
  if (machine === 0) return;
  const more = (count: number): string =>
    `${formatCount(count)} more${isNamed ? ` ${count === 1 ? "session" : "sessions"}` : ""}`;
  context.say(
    parent === 0
      ? `${more(machine)} on this machine: --all`
      : `${more(parent)} in the parent folder, ${formatCount(machine)} on this machine: --all`,
  );
}
