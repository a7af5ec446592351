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

// A hook of ours takes a tenth of a second; a client that waits ten is on a machine that hangs.
const TIMEOUT_SECONDS = 10;
const WAKE_TIMEOUT_SECONDS = 600;
const LAUNCHING_TOOLS = "Agent|Task|Bash";
// What they answer is a launch, or the end of one.
const ANSWERING_TOOLS = `${LAUNCHING_TOOLS}|Monitor|Workflow|TaskStop|KillShell`;

/** The hooks of Holdfast as Claude Code's settings hold them; plugin/hooks/hooks.json is the same. */
export function hookSettings(
  program: HookProgram,
  { wake = false }: { wake?: boolean | undefined } = {},
): HookSettings {
  const handler: HookHandler = { type: "command", ...program, timeout: TIMEOUT_SECONDS };
  const always = [{ hooks: [handler] }];
  const onLaunch = [{ matcher: LAUNCHING_TOOLS, hooks: [handler] }];
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
    PreToolUse: onLaunch,
    PostToolUse: [{ matcher: ANSWERING_TOOLS, hooks: [handler] }],
    SubagentStart: always,
    SubagentStop: always,
    Stop: [{ hooks: wake ? [handler, waker] : [handler] }],
    PreCompact: always,
    SessionEnd: always,
  };
}
