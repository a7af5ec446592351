import path from "node:path";
import { agentOptions, chooseOther } from "../agents/agent-options.ts";
import { reportLaunch } from "../agents/report-launch.ts";
import { defineCommand, type Command } from "../command.ts";
import { withProgress } from "../progress.ts";
import { displayPath } from "../render/display-path.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";

export const command: Command = defineCommand({
  arguments: [
    {
      name: "id",
      text: "a remote task: its id, a unique prefix, its name, @last, or the URL of its log",
      kind: "task",
      pick: "remote-task",
    },
    {
      name: "prompt",
      text: "what to say to it; an interrupted run needs no prompt",
      kind: "text",
      isOptional: true,
    },
  ],
  examples: [
    { line: "holdfast teleport r3f1", text: "brings transcript and workspace home and continues here" },
    { line: "holdfast teleport r3f1 --branch agent/fix --no-resume", text: "only its work, as a branch" },
    { line: "holdfast teleport r3f1 --worktree ../fix 'Now write the tests'", text: "say more to it here" },
  ],
  options: [
    {
      flags: "--worktree <dir>",
      text: "the new folder for its work (default: beside the old one)",
      kind: "folder",
    },
    { flags: "--branch <name>", text: "only a branch, no folder", conflicts: ["worktree"] },
    { flags: "--no-resume", text: "do not continue it here" },
    ...agentOptions,
    { flags: "--wait", text: "wait for its answer and print it" },
  ],
  async run(context, { arguments: [id = "", prompt], options }) {
    const { environment } = context;
    const { agents, fleet } = await context.runtime();
    const worktree =
      options.worktree === undefined ? undefined : path.resolve(environment.cwd, options.worktree);
    const home = await withProgress(
      context,
      "Bringing it home",
      fleet.bringHome(id, { branch: options.branch, worktree }),
    );
    const { task, folder, branch, missing } = home;
    for (const why of missing) context.say(`Not everything was sent: ${terminalLine(why)}`);
    const sessionId = task.record.remote!.sessionId;
    const goesOn = options.resume && folder !== undefined && (home.isUnfinished || prompt !== undefined);
    if (!goesOn) {
      if (context.isJson)
        return context.writeJson({
          sessionId,
          folder: folder ?? null,
          branch: branch ?? null,
          missing,
          transcript: task.record.agent!.transcript.path,
        });
      const where = folder === undefined ? `branch ${branch}` : displayPath(folder, environment.userHome);
      await context.writeLines([terminalLine(folder ?? branch ?? "")]);
      context.say(`Its work is in ${terminalLine(where)}. Continue it there: claude --resume ${sessionId}`);
      return;
    }
    const started = await agents.continue(task, {
      prompt,
      ...(await chooseOther({ agents }, options, environment)),
      model: options.model,
    });
    if (!context.isJson)
      context.say(`It continues in ${terminalLine(displayPath(folder, environment.userHome))}.`);
    return reportLaunch(context, { started, ...options });
  },
});
