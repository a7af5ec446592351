/** How a program is started: without a shell. */
export interface HookProgram {
  command: string;
  args: string[];
}

export interface HookHandler extends HookProgram {
  type: "command";
  timeout: number;
  asyncRewake?: true;
}

export interface HookGroup {
  matcher?: string;
  hooks: HookHandler[];
}

export type HookSettings = Record<string, HookGroup[]>;

export interface HookSettingsOptions {
  /** The folder of the scripts that decide whether the program is started for a shell command. */
  scriptsDir: string;
  wake?: boolean | undefined;
}

// A hook of ours takes a tenth of a second; a client that waits ten is on a machine that hangs.
const TIMEOUT_SECONDS = 10;
const WAKE_TIMEOUT_SECONDS = 600;
const COMMAND_TOOL = "Bash";
const AGENT_TOOLS = "Agent|Task";
// What they answer is a launch, or the end of one.
const ANSWERING_TOOLS = `${AGENT_TOOLS}|Monitor|Workflow|TaskStop|KillShell`;

/** The hooks of Holdfast as Claude Code's settings hold them; plugin/hooks/hooks.json is the same. */
export function hookSettings(
  program: HookProgram,
  { scriptsDir, wake = false }: HookSettingsOptions,
): HookSettings {
  const handler: HookHandler = { type: "command", ...program, timeout: TIMEOUT_SECONDS };
  const always = [{ hooks: [handler] }];
  // Commands are by far the most frequent tool calls, and few launch anything.
  const onTools = (others: string, script: string): HookGroup[] => [
    { matcher: others, hooks: [handler] },
    { matcher: COMMAND_TOOL, hooks: [{ ...handler, ...startedBy(`${scriptsDir}/${script}`, program) }] },
  ];
  const waker: HookHandler = {
    type: "command",
    command: program.command,
    args: [...program.args, "--wake"],
    timeout: WAKE_TIMEOUT_SECONDS,
    asyncRewake: true,
  };
  return {
    SessionStart: always,
    UserPromptSubmit: always,
    PreToolUse: onTools(AGENT_TOOLS, "before-command.sh"),
    PostToolUse: onTools(ANSWERING_TOOLS, "after-command.sh"),
    SubagentStart: always,
    SubagentStop: always,
    Stop: [{ hooks: wake ? [handler, waker] : [handler] }],
    PreCompact: always,
    SessionEnd: always,
  };
}

// A shell that cannot open its script ends with 2 or 127, and 2 would forbid the tool call. So this one ends with 0
// whatever happens, and a script that is gone is no reason to say nothing.
const OBEY = 'trap "exit 0" 0; if [ -r "$0" ]; then . "$0"; else "$@"; fi';

function startedBy(script: string, { command, args }: HookProgram): HookProgram {
  return { command: "/bin/sh", args: ["-c", OBEY, script, command, ...args] };
}
