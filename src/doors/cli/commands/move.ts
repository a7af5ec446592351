import fs from "node:fs";
import { terminalLine } from "../../../lib/terminal-text.ts";
import { defineCommand, type Command } from "../command.ts";
import { realDir } from "../real-dir.ts";
import { displayPath } from "../render/display-path.ts";
import { allOption, findNamedSession, sessionArgument } from "../session-argument.ts";

export const command: Command = defineCommand({
  arguments: [
    sessionArgument,
    { name: "dir", text: "the working directory that it belongs to now", kind: "folder" },
  ],
  examples: [
    { line: "holdfast move 1b3e ~/code/new-name", text: "after the checkout was renamed" },
    { line: "holdfast move @last .", text: "the newest session to the current directory" },
    { line: "holdfast move 1b3e . --json", text: "print in JSON where it is now" },
  ],
  options: [allOption],
  async run(context, { arguments: [id = "", dir = ""], options }) {
    const { cwd, userHome } = context.environment;
    const { sessions: store } = await context.runtime();
    const session = await findNamedSession(context, id, options);
    const target = realDir(cwd, dir);
    const moved = await store.move(session, target);
    const { sessionId, projectKey: project, path: file } = moved;
    if (context.isJson) return context.writeJson({ sessionId, project, path: file });
    const note = fs.existsSync(target) ? "" : " There is no such folder yet.";
    context.say(`Session ${terminalLine(sessionId)} now belongs to ${displayPath(target, userHome)}.${note}`);
  },
});
