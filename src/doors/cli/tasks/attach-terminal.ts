import { StringDecoder } from "node:string_decoder";
import { terminalText } from "../../../lib/terminal-text.ts";
import type { AttachedTerminal } from "../../../index.ts";
import { collapseProgress } from "../../../lib/collapse-progress.ts";
import { ScreenModes } from "./screen-modes.ts";

/** Ctrl+], as it comes by itself and from the two protocols by which programs ask for more of the keyboard. */
const detachKey = /\u001d|\u001b\[93;5(?::1)?u|\u001b\[27;5;93~/;
const REDRAW_MS = 50;
const LINES_SHOWN = 20;

/**
 * Joins this process's terminal to that of a task until Ctrl+] or until the program is gone; says which. The terminal
 * is as before afterwards.
 */
export async function attachTerminal(terminal: AttachedTerminal): Promise<"detached" | "ended"> {
  const { stdin, stdout } = process;
  const { printed } = terminal;
  const resize = (): void => terminal.resize({ columns: stdout.columns, rows: stdout.rows });
  const modes = new ScreenModes();
  modes.read(printed);
  // Shown without its escapes: among them may be questions, and the terminal's answers would be typed into the program.
  if (!modes.isSecondScreen) stdout.write(lastLines(terminalText(collapseProgress(printed))));
  stdout.write(modes.enter());
  let shown = printed;
  stdin.setRawMode(true);
  stdout.on("resize", resize);
  const left = new Promise<"detached" | "ended">((resolve) => {
    const output = new StringDecoder("utf8");
    const input = new StringDecoder("utf8");
    const onOutput = (data: Buffer): void => {
      stdout.write(data);
      const text = output.write(data);
      modes.read(text);
      if (text !== "") shown = text;
    };
    void terminal.listen(onOutput).then(() => resolve("ended"));
    stdin.on("data", (data: Buffer) => {
      const text = input.write(data);
      const at = text.search(detachKey);
      const typed = at < 0 ? text : text.slice(0, at);
      if (typed !== "") terminal.type(typed);
      if (at >= 0) resolve("detached");
    });
  });
  try {
    // A program draws its screen anew when the size changes, not when somebody comes.
    terminal.resize({ columns: stdout.columns, rows: Math.max(1, stdout.rows - 1) });
    await new Promise((resolve) => setTimeout(resolve, REDRAW_MS));
    resize();
    return await left;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stdout.off("resize", resize);
    const isLineEnd = shown === "" || shown.endsWith("\n") || modes.isSecondScreen;
    stdout.write(modes.leave() + (isLineEnd ? "" : "\r\n"));
    terminal.close();
  }
}

function lastLines(text: string): string {
  return text.split("\n").slice(-LINES_SHOWN).join("\n");
}
