import { agentOptions } from "../agents/agent-options.ts";
import { defineCommand, type Command } from "../command.ts";
import { usageError } from "../errors.ts";
import { displayPath } from "../render/display-path.ts";
import { realDir } from "../real-dir.ts";
import { whyNotDrawn } from "../screen/why-not-drawn.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast chat", text: "talk to an agent; Ctrl+B twice puts a query into the background" },
    { line: "holdfast chat --resume @last", text: "continue the newest conversation of this folder" },
    {
      line: "holdfast chat --agent gemini --permission rules",
      text: "another agent, with your own rules",
    },
  ],
  options: [
    ...agentOptions,
    {
      flags: "--resume <id>",
      text: "continue a session; @last is the newest of this folder",
      kind: "session",
      pick: "own-session",
    },
    {
      flags: "--type <type>",
      text: "hold the conversation as this type of agent: Explore, Plan, or one of your own (agents/*.md)",
      kind: "agent-type",
    },
    {
      flags: "--permission <policy>",
      text: "who decides about tools: ask (you), rules (your settings, then you), allow, deny",
      choices: ["ask", "rules", "allow", "deny"],
    },
  ],
  async run(context, { options }) {
    const { environment } = context;
    if (context.isJson)
      throw usageError("agent", "Cannot chat in JSON: ask once with holdfast agent --wait --json");
    const runtime = await context.runtime();
    const cwd = realDir(environment.cwd);
    const start = await runtime.settings.forAgent(options, { cwd });
    const session =
      options.resume === undefined ? undefined : await runtime.threads.findResumable(options.resume, { cwd });
    const spec = await runtime.agents.choose(start, environment);
    const why = whyNotDrawn(environment);
    if (why !== undefined)
      throw usageError("agent", `Cannot chat: ${why}; ask once with holdfast agent --wait`);
    const { openChat } = await import("../chat/open-chat.ts");
    const { model, permission, limits } = start;
    const { userName, userHome, variables, stdout } = environment;
    const folder = displayPath(cwd, userHome);
    const farewell = await openChat(
      {
        runtime,
        runner: spec,
        model,
        permission,
        limits,
        type: options.type,
        cwd,
        folder,
        userName,
        variables,
      },
      { session, style: stdout.style, isAsciiOnly: environment.isAsciiOnly },
    );
    await runtime.close();
    const { farewellLines } = await import("../chat/farewell-lines.ts");
    for (const line of farewellLines(farewell, environment.stderr)) context.say(line);
  },
});
