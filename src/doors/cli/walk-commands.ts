import type { Command, CommandFamily, ListedCommand } from "./command.ts";
import { commandList } from "./command-list.ts";
import { isFamily } from "./find-command.ts";

export interface WalkedCommand {
  /** As it is typed: `fleet up`. */
  path: string;
  summary: string;
  group: string;
  command: Command | CommandFamily;
}

/** Every command and subcommand, loaded, in the order of the help. */
export async function walkCommands(): Promise<WalkedCommand[]> {
  const groups = commandList.map(async (root) => walk([root], { above: [], group: root.group }));
  return (await Promise.all(groups)).flat();
}

async function walk(
  commands: readonly ListedCommand[],
  { above, group }: { above: readonly string[]; group: string },
): Promise<WalkedCommand[]> {
  const found: WalkedCommand[] = [];
  for (const { name, summary, load } of commands) {
    const { command } = await load();
    const path = [...above, name];
    found.push({ path: path.join(" "), summary, group, command });
    if (isFamily(command)) found.push(...(await walk(command.subcommands, { above: path, group })));
  }
  return found;
}
