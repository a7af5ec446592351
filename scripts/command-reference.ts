// Writes docs/reference/commands.md and man/holdfast.1 from what the help is made of: `npm run reference`.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { walkCommands } from "../src/doors/cli/walk-commands.ts";
import { manPage } from "./command-man-page.ts";
import { commandsMarkdown } from "./commands-markdown.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Each file of the reference, from the root of the repository, and what belongs into it. */
export async function commandReference(): Promise<Record<string, string>> {
  const commands = await walkCommands();
  return { "docs/reference/commands.md": commandsMarkdown(commands), "man/holdfast.1": manPage(commands) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(await commandReference())) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
}
