import fs from "node:fs";
import path from "node:path";
import { text as readText } from "node:stream/consumers";
import { parseJson } from "../../../lib/read-json.ts";
import { plural } from "../../../lib/quantities.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { usageError } from "../errors.ts";
import { realDir } from "../real-dir.ts";

export const command: Command = defineCommand({
  arguments: [
    { name: "file", text: "a JSON file with a list of messages; - reads standard input", kind: "file" },
  ],
  examples: [
    { line: "holdfast import talk.json", text: "a session of this folder with what was said elsewhere" },
    { line: "holdfast import talk.json --format ai-sdk --title 'The plan'", text: "messages of the AI SDK" },
    { line: "my-chat --dump | holdfast import -", text: "from a program of yours" },
  ],
  options: [
    {
      flags: "-f, --format <format>",
      text: "whose messages they are: of the Anthropic API (the default) or of the AI SDK",
      choices: ["anthropic", "ai-sdk"],
    },
    { flags: "--title <title>", text: "the title of the new session" },
  ],
  async run(context, { arguments: [file = ""], options }) {
    const { sessions } = await context.runtime();
    const messages = await readMessages(context, file);
    const where = { cwd: realDir(context.environment.cwd), title: options.title };
    const session =
      options.format === "ai-sdk"
        ? await sessions.fromModelMessages(messages, where)
        : await sessions.fromAnthropicMessages(messages, where);
    const { sessionId, projectKey: project, path: written } = session;
    const count = messages.length;
    if (context.isJson) return context.writeJson({ sessionId, project, path: written, messages: count });
    await context.writeLines([sessionId]);
    context.say(`Imported ${plural(count, "message")}. Continue it: claude --resume ${sessionId}`);
  },
});

// What is in the list is looked at by whoever makes entries of it.
async function readMessages({ environment }: CommandContext, file: string): Promise<never[]> {
  const text =
    file === "-"
      ? await readText(process.stdin)
      : await fs.promises.readFile(path.resolve(environment.cwd, file), "utf8");
  const value = parseJson(text);
  if (Array.isArray(value)) return value as never[];
  throw usageError("import", `Cannot import "${file}": it is no JSON list of messages`);
}
