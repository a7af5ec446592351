import { parseHookInput, type HookInput } from "./hook-input.ts";
import type { HookWorld } from "./hook-world.ts";

/** What a hook answers, and what is still to be recorded once the answer is out. */
export interface HookAnswer {
  /** Printed as JSON; nothing is printed when it is absent. */
  output?: HookOutput;
  /** Given whether the client's end of the pipe took the answer to the last byte. */
  afterwards?: (isOut: boolean) => Promise<void>;
}

/** In the words of the client. */
export interface HookOutput {
  hookSpecificOutput: {
    hookEventName: string;
    /** Goes into the next request to the model. */
    additionalContext?: string;
    permissionDecision?: "ask";
    permissionDecisionReason?: string;
  };
}

type Handler = (input: HookInput, world: HookWorld) => Promise<HookAnswer>;

/** Answers one event of a client. Events that nothing is to be done for are answered with nothing. */
export async function runHook(text: string, world: HookWorld): Promise<HookAnswer> {
  const input = parseHookInput(text);
  if (!input) throw new TypeError("Cannot read the hook's input: it is no event of a client");
  const handler = await loadHandler(input);
  const answer = handler ? await handler(input, world) : {};
  return NOTING_EVENTS.has(input.event) ? noting(answer, input, world) : answer;
}

// The beginning of a session looks at everything anyway; before a command, Node would not have been started with a note.
const NOTING_EVENTS = new Set(["SessionStart", "PreToolUse"]);

/** Spares the next tool calls the start of this program, where it would have nothing to say. */
function noting(answer: HookAnswer, input: HookInput, world: HookWorld): HookAnswer {
  return {
    ...answer,
    async afterwards(isOut) {
      await answer.afterwards?.(isOut);
      (await import("./note-quiet.ts")).noteQuietProject(input, world);
    },
  };
}

/** Each event loads only what it needs: most tool calls launch nothing and end here. */
async function loadHandler({ event, fields }: HookInput): Promise<Handler | undefined> {
  switch (event) {
    case "SessionStart":
      return (await import("./session-start.ts")).sessionStart;
    case "PreToolUse":
      return mayBeLaunch(fields) ? (await import("./pre-tool-use.ts")).preToolUse : undefined;
    case "PostToolUse":
      if (!hasLaunched(fields)) return undefined;
      return isStop(fields["tool_name"])
        ? (await import("./task-stop.ts")).taskStopped
        : (await import("./post-tool-use.ts")).postToolUse;
    case "SubagentStart":
      return (await import("./subagent.ts")).subagentStart;
    case "SubagentStop":
      return (await import("./subagent.ts")).subagentStop;
    case "UserPromptSubmit":
    // Gemini's word for it.
    case "BeforeAgent":
      return (await import("./user-prompt-submit.ts")).userPromptSubmit;
    case "Stop":
      return (await import("./stop.ts")).stop;
    case "PreCompact":
    case "SessionEnd":
      return (await import("./settle.ts")).settle;
    default:
      return undefined;
  }
}

// Also in the foreground: what runs in the background already need not be run again.
function mayBeLaunch({ tool_name: tool, tool_input: input }: HookInput["fields"]): boolean {
  if (typeof input !== "object" || input === null) return false;
  return tool === "Bash" || tool === "Agent" || tool === "Task";
}

function hasLaunched({ tool_name: tool, tool_response: response }: HookInput["fields"]): boolean {
  if (typeof response !== "object" || response === null) return false;
  const { status, backgroundTaskId = null, taskId = null } = response as Record<string, unknown>;
  if (status === "async_launched" || backgroundTaskId !== null) return true;
  return tool === "Monitor" ? taskId !== null : isStop(tool);
}

/** The client's tool that stops a task, in its newer and older names. */
function isStop(tool: unknown): boolean {
  return tool === "TaskStop" || tool === "KillShell" || tool === "KillBash";
}
