import { text as readText } from "node:stream/consumers";
import type { PermissionPolicy } from "../../../tasks/kinds/agent/agent-settings.ts";
import {
  agentOptions,
  askedBy,
  limitOptions,
  type AgentOptions,
  type LimitOptions,
} from "../agents/agent-options.ts";
import { reportLaunch } from "../agents/report-launch.ts";
import type { Command } from "../command.ts";
import { refuseRemoteOptions, type RemoteOptions } from "../agents/remote-options.ts";
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
    const { starting } = await context.runtime();
    const { label, clone, links } = options;
    const starts = starting.agent({
      ...askedBy(options),
      prompt: prompt === "-" ? await readText(process.stdin) : prompt,
      cwd: realDir(environment.cwd, options.cwd),
      name: options.name,
      description: options.description,
      sessionId: options.session ?? environment.sessionId,
      muted: options.mute,
      after: options.after,
      queue: options.queue,
      from: options.from === undefined ? undefined : await findNamedSession(context, options.from),
      remote: options.remote ? { label, clone, links } : undefined,
    });
    const started = options.remote
      ? await withProgress(context, "Sending the folder to the fleet", starts)
      : await starts;
    return reportLaunch(context, { started, ...options });
  },
};
