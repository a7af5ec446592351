import { spawn } from "node:child_process";
import { once } from "node:events";
import { findPrograms } from "../../../lib/find-programs.ts";
import type { CommandContext } from "../command.ts";
import type { Environment } from "../environment.ts";
import { asciiMarks } from "../render/ascii-marks.ts";
import { openOutput, writeLines } from "../output.ts";
import { isReaderGone } from "../standard-streams.ts";

/**
 * Lets `act` write into the person's pager, where there is a terminal for one; otherwise as usual. Who leaves the pager has
 * seen enough, which is no failure.
 */
export async function withPager(
  context: CommandContext,
  act: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const command = pagerOf(context.environment);
  if (command === undefined) return act(context);
  const env = { LESS: "FRX", ...context.environment.variables };
  // The person's own words, for their shell: `less -R`, `bat --plain`.
  const pager = spawn("/bin/sh", ["-c", command], { stdio: ["pipe", "inherit", "inherit"], env });
  const closed = once(pager, "close");
  const { isAsciiOnly } = context.environment;
  const raw = openOutput(pager.stdin);
  const output = {
    ...raw,
    write: (text: string | Uint8Array) =>
      raw.write(isAsciiOnly && typeof text === "string" ? asciiMarks(text) : text),
  };
  // Each failed write tells its own callback.
  pager.stdin.on("error", () => {});
  // Ctrl+C is the pager's while it has the terminal.
  const listeners = process.rawListeners("SIGINT") as NodeJS.SignalsListener[];
  process.removeAllListeners("SIGINT").on("SIGINT", () => {});
  try {
    await act({ ...context, output, writeLines: (lines) => writeLines(output, lines) });
    await output.flush();
  } catch (error) {
    if (!isReaderGone(error) && !pager.stdin.destroyed) throw error;
  } finally {
    pager.stdin.end();
    await closed;
    process.removeAllListeners("SIGINT");
    for (const listener of listeners) process.on("SIGINT", listener);
  }
}

// A terminal that cannot move its cursor has no use for one.
function pagerOf({ stdout, variables }: Environment): string | undefined {
  const { PAGER, TERM, PATH } = variables;
  if (!stdout.isTerminal || TERM === "dumb" || PAGER === "" || PAGER === "cat") return undefined;
  return PAGER ?? findPrograms("less", PATH)[0];
}
