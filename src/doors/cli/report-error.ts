import { codeOf, HoldfastError, messageOf } from "../../lib/errors.ts";
import { terminalLine } from "../../lib/terminal-text.ts";
import type { Suggestion } from "../../lib/suggestion.ts";
import type { CommandContext } from "./command.ts";
import { exitCodeOf, type ExitCode } from "./exit-codes.ts";
import { suggestionText } from "../../lib/suggestion-text.ts";

export interface ReportOptions {
  context: CommandContext;
  isJson: boolean;
}

/** Says in one sentence what went wrong, then what to do next; with `--json` as an object on standard output. */
export async function reportError(error: unknown, { context, isJson }: ReportOptions): Promise<ExitCode> {
  const { code, message, fields } = describe(error);
  // Who says no to a question gets what was asked for.
  if (code === "declined") {
    context.say(message);
    return exitCodeOf(code);
  }
  // Behind data that is already out, a second object would break both.
  if (isJson && !context.output.isUsed) {
    await context.writeJson({ error: { code, message, ...fields } });
  } else {
    await context.output.flush();
    context.say(`holdfast: ${terminalLine(message)}`);
    for (const line of await advise(code, fields, context)) context.say(line);
    const { suggestion } = fields;
    if (suggestion) context.say(`Try: ${suggestionText(suggestion as Suggestion)}`);
  }
  if (context.environment.isDebug) context.say(String(error instanceof Error ? error.stack : error));
  return exitCodeOf(code);
}

interface Described {
  code: string;
  message: string;
  fields: Record<string, unknown>;
}

function describe(error: unknown): Described {
  if (error instanceof HoldfastError)
    return { code: error.code, message: error.message, fields: error.fields };
  // The house's way to refuse an argument; anything else of these types is a defect.
  if (error instanceof RangeError && error.message.startsWith("Cannot "))
    return { code: "usage", message: error.message, fields: {} };
  if (error instanceof Error && "syscall" in error)
    return describeSystemError(error as NodeJS.ErrnoException);
  const message = messageOf(error);
  return { code: "internal", message: `Unexpected error: ${message}`, fields: {} };
}

function describeSystemError(error: NodeJS.ErrnoException): Described {
  const code = codeOf(error) ?? "unknown";
  const what = systemErrors[code] ?? reasonIn(error.message);
  const target = error.path === undefined ? "" : ` "${error.path}"`;
  return {
    code: "io",
    message: `Cannot ${verbs[error.syscall ?? ""] ?? "use"}${target}: ${what}`,
    fields: { errno: code },
  };
}

// "EXDEV: cross-device link not permitted, rename 'a' -> 'b'": what stands between the code and the call.
function reasonIn(message: string): string {
  return message.replace(/^[^:]*: /, "").replace(/(?:, \w+)?(?: '.*)?$/s, "");
}

const verbs: Readonly<Record<string, string>> = {
  open: "open",
  read: "read",
  scandir: "read folder",
  write: "write",
  mkdir: "make folder",
  rename: "move",
  unlink: "remove",
  rm: "remove",
  copyfile: "copy",
};

const systemErrors: Readonly<Record<string, string>> = {
  EACCES: "no permission; check its owner and mode",
  EPERM: "not permitted; check its owner and mode",
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  ELOOP: "it is a link, which is not followed",
  ENAMETOOLONG: "the name is too long for the file system",
  ENOSPC: "the disk is full; free some space and try again",
  EDQUOT: "your disk quota is used up; free some space and try again",
  EROFS: "the file system is read-only",
  EMFILE: "too many open files; raise the limit (ulimit -n)",
};

/** What to do next, where that is always the same. */
const advice: Readonly<Record<string, string>> = {
  no_stdin: "Input needs a running task that was started with --stdin or --tty.",
  stop_failed: "Try again; `holdfast inspect <id>` shows what is left of it.",
  task_limit: "Run `holdfast ps` to see what runs, or give --queue to wait for a place.",
  fleet_server_missing:
    "Install nats-server 2.14 or newer, or name one: HOLDFAST_NATS_SERVER=/path/to/nats-server",
  fleet_not_ready: "Make its streams: holdfast fleet init",
  fleet_forbidden: "Point HOLDFAST_NATS_KEYS at the folder with the keys of the roles (docs/guide/fleet.md).",
  run_not_found: "Run `holdfast fleet status -a` to see every session of the fleet.",
  entry_not_found: "Run `holdfast show <id> --ids` to see the ids of its messages.",
  trash_not_found: "Run `holdfast rm --list` to see what is in the trash.",
  archive_not_found: "Run `holdfast archive list` to see what is in the archive.",
  conflict: "Close it there first, or try again later.",
  session_in_use: "Close it there first, or try again later.",
  internal: "Run it again with HOLDFAST_DEBUG=1 and report what it prints.",
};

async function advise(
  code: string,
  fields: Record<string, unknown>,
  context: CommandContext,
): Promise<string[]> {
  switch (code) {
    case "usage":
      return typeof fields["help"] === "string" ? [`Run \`${fields["help"]}\` for what it accepts.`] : [];
    case "session_not_found":
    case "task_not_found": {
      const { notFoundLines } = await import("./not-found-lines.ts");
      const { id, near = [] } = fields as { id?: string; near?: string[] };
      return notFoundLines(context, { isTask: code === "task_not_found", id, near });
    }
    case "session_ambiguous":
    case "task_ambiguous": {
      const { candidateLines } = await import("./candidate-lines.ts");
      const candidates = (fields["candidates"] as object[] | undefined) ?? [];
      const which = code === "task_ambiguous" ? "one of these" : "one of these, or its path";
      return [`Type more of ${which}:`, ...(await candidateLines(context, candidates))];
    }
    case "entry_ambiguous": {
      const uuids = (fields["candidates"] as string[] | undefined) ?? [];
      return ["Type more of one of these:", ...uuids.slice(0, 10).map((uuid) => `  ${terminalLine(uuid)}`)];
    }
    case "session_archived": {
      const { sessionId } = fields;
      const id = typeof sessionId === "string" ? terminalLine(sessionId) : "<id>";
      return [`Put it back first: holdfast archive restore ${id}`];
    }
    default:
      return Object.hasOwn(advice, code) ? [advice[code]!] : [];
  }
}
