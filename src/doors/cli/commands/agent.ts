import { text as readText } from "node:stream/consumers";
import type { PermissionPolicy } from "../../../tasks/kinds/agent/agent-settings.ts";
import type { Task } from "../../../tasks/record/task.ts";
import {
  agentOptions,
  askedBy,
  limitOptions,
  type AgentOptions,
  type LimitOptions,
} from "../agents/agent-options.ts";
import { reportLaunch } from "../agents/report-launch.ts";
import type { Command, CommandContext } from "../command.ts";
import type { RemoteAgentRequest } from "../../../fleet/runs/dispatch-agent.ts";
import { refuseRemoteOptions, remoteRunner, type RemoteOptions } from "../agents/remote-options.ts";
import { withProgress } from "../progress.ts";
import { realDir } from "../real-dir.ts";
import { findNamedSession } from "../session-argument.ts";

interface StartOptions extends AgentOptions, LimitOptions, RemoteOptions {
  type?: string;
  cwd?: string;
  name?: string;
  description?: string;
  session?: string;
  permission?: PermissionPolicy;
  after?: string[];
  queue?: boolean;
  mute?: boolean;
  wait?: boolean;
  remote?: boolean;
}

export const command: Command<StartOptions> = {
  arguments: [
    { name: "prompt", text: "what the agent should do; - reads it from standard input", kind: "text" },
  ],
  examples: [
    {
      line: "holdfast agent 'Find out why the tests are slow'",
      text: "prints the task's id; the agent works in the background",
    },
    {
      line: "holdfast agent --agent codex --permission allow --wait 'Fix the lint errors'",
      text: "another agent, no questions; wait for its answer",
    },
    {
      line: "holdfast agent --type Explore --max-cost 0.5 'Who calls openTasks?'",
      text: "an agent that only reads",
    },
  ],
  options: [
    ...agentOptions,
    {
      flags: "--type <type>",
      text: "general-purpose, Explore, Plan, or one of your own (agents/*.md)",
      kind: "agent-type",
    },
    { flags: "-C, --cwd <dir>", text: "where it works", kind: "folder" },
    { flags: "--name <name>", text: "a name to find it by" },
    { flags: "--description <text>", text: "what it is for" },
    {
      flags: "--session <id>",
      text: "make it a sub-agent of this session, which is notified when it ends",
      kind: "session",
    },
    {
      flags: "--permission <policy>",
      text: "who decides about tools: ask (you: see approve), rules (your settings, then you), allow, deny",
      choices: ["ask", "allow", "deny", "rules"],
    },
    ...limitOptions,
    {
      flags: "--after <id>",
      text: "start when this task has ended; may be repeated",
      kind: "task",
      isRepeatable: true,
    },
    { flags: "--queue", text: "wait for a place when too many agents run" },
    { flags: "--mute", text: "no notice when it ends" },
    { flags: "--wait", text: "wait for its answer and print it" },
    {
      flags: "--remote",
      text: "run it on the fleet, with this folder as it is (see fleet)",
      conflicts: ["after", "queue"],
    },
    { flags: "--label <label>", text: "with --remote: only workers with this label" },
    {
      flags: "--clone <url>",
      text: "with --remote: the worker clones this instead of getting the folder",
    },
    { flags: "--links", text: "with --remote: also send links, if they stay inside the folder" },
    {
      flags: "--from <session>",
      text: "ask from where this session is now; prompt and answer are added to it (with --remote: continue it there)",
      kind: "session",
      conflicts: ["session", "after", "queue"],
    },
  ],
  async run(context, { arguments: [prompt = ""], options }) {
    const { environment } = context;
    if (!options.remote) refuseRemoteOptions(options);
    const { agents, settings } = await context.runtime();
    const cwd = realDir(environment.cwd, options.cwd);
    const start = await settings.forAgent(askedBy(options), { cwd });
    const runner = options.remote ? remoteRunner(start) : await agents.choose(start, environment);
    const request = {
      prompt: prompt === "-" ? await readText(process.stdin) : prompt,
      cwd,
      runner,
      type: options.type,
      model: start.model,
      name: options.name,
      description: options.description,
      sessionId: options.session ?? environment.sessionId,
      permission: start.permission,
      limits: start.limits,
      timeoutMs: start.timeoutMs,
      muted: options.mute,
    };
    const started = options.remote
      ? await startRemote(context, { ...options, request })
      : options.from !== undefined
        ? await agents.askFromSession({ ...request, session: await findNamedSession(context, options.from) })
        : await agents.start({ ...request, after: options.after, queue: options.queue });
    return reportLaunch(context, { started, ...options });
  },
};

async function startRemote(
  context: CommandContext,
  { request, label, clone, links, from }: RemoteOptions & { request: RemoteAgentRequest },
): Promise<Task> {
  const { fleet } = await context.runtime();
  const session = from === undefined ? undefined : await findNamedSession(context, from);
  const sent = fleet.start({ ...request, label, clone, links, from: session });
  return withProgress(context, "Sending the folder to the fleet", sent);
}
