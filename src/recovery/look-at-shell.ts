import type { LookContext } from "./look-context.ts";
import { MONITOR, type LaunchLine } from "./manifest-line.ts";
import type { OpenOutputs } from "./open-outputs.ts";
import { lastLines, readOutputEnd, type OutputEnd } from "./read-ending.ts";
import type { Look } from "./recovered-item.ts";

// What the client itself adds to an output when the command has ended.
const EXITED = /\n\[exited with code (-?\d+)\]\n$/;
const KILLED = /\n\[killed\]\n$/;

type ShellContext = Pick<LookContext, "openOutputs" | "isClientAlive">;

/**
 * The truth about a command that a client runs in the background. While the client lives, it writes the ending behind the
 * output. When it is gone, whoever has the output open runs the command; if nobody does it is over, and nobody recorded how.
 */
export function lookAtShell(launch: LaunchLine, { openOutputs, isClientAlive }: ShellContext): Look {
  const { client, output_file: file } = launch;
  const living = client !== undefined && isClientAlive(client) ? client : undefined;
  const orphaned = living ? undefined : orphanedShell(launch, openOutputs());
  if (orphaned) return orphaned;
  const end = readOutputEnd(file);
  const ended = end && endingIn(end);
  if (ended) return ended;
  if (living) return { status: "running", knownBy: [`client pid ${living.pid}`] };
  return lostShell(end, openOutputs());
}

/** How a command ended that no process runs any more: as its client wrote behind its output, or nobody knows. */
export function endedShell(file: string, open: OpenOutputs): Look {
  const end = readOutputEnd(file);
  return (end && endingIn(end)) ?? lostShell(end, open);
}

function orphanedShell(launch: LaunchLine, open: OpenOutputs): Look | undefined {
  const { client, session_id: sessionId, output_file: file } = launch;
  const holders = open.holders(file);
  if (holders.length > 0) {
    return {
      status: "running",
      pids: holders,
      detail: "the client that launched it is gone; the command runs on without it",
      knownBy: [`open output file of pid ${holders.join(", ")}`],
    };
  }
  const shells = client ? open.shellsOf({ client: client.pid, sessionId, launchedAt: launch.timestamp }) : [];
  if (shells.length === 0) return undefined;
  return {
    status: "running",
    pids: shells,
    detail: isMonitor(launch)
      ? "the client that watched it is gone; the command runs on, and nobody hears of what it prints"
      : "the client that launched it is gone; the command runs on without it",
    knownBy: [`session marker of pid ${shells.join(", ")}`],
  };
}

/** A command that the client runs to hear of each line that it prints. */
function isMonitor({ subagent_type: type }: LaunchLine): boolean {
  return type === MONITOR;
}

function endingIn({ text, writtenAt }: OutputEnd): Look | undefined {
  const exited = EXITED.exec(text);
  const printed = lastLines(text.replace(EXITED, "").replace(KILLED, ""));
  const common = {
    endedAt: writtenAt,
    ...(printed !== undefined && { result: printed }),
    knownBy: ["output file"],
  };
  if (exited) {
    const exitCode = Number(exited[1]);
    return { status: exitCode === 0 ? "completed" : "failed", exitCode, ...common };
  }
  return KILLED.test(text) ? { status: "stopped", ...common } : undefined;
}

function lostShell(end: OutputEnd | undefined, { canLook }: OpenOutputs): Look {
  const processes = canLook
    ? "no process of it runs any more"
    : "whether a process of it still runs cannot be told on this system";
  const why = `${processes}; its exit code was never recorded, because the client that launched it was gone`;
  if (!end) return { status: "lost", detail: `${why}; its output file is gone, too`, knownBy: ["processes"] };
  const printed = lastLines(end.text);
  return {
    status: "lost",
    endedAt: end.writtenAt,
    detail: `${why}; its output has ${end.bytes} bytes and was last written at ${end.writtenAt}`,
    ...(printed !== undefined && { result: printed }),
    knownBy: ["processes", "output file"],
  };
}
