import type { Environment } from "../environment.ts";

/** Why nothing can be drawn here; undefined on a terminal that can be drawn on and typed at. */
export function whyNotDrawn({ stdout, variables }: Environment): string | undefined {
  if (!stdout.isTerminal || !process.stdin.isTTY) return "this is not a terminal";
  return variables["TERM"] === "dumb" ? "this terminal cannot draw (TERM=dumb)" : undefined;
}
