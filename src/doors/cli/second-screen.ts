import type { Output } from "./output.ts";

/**
 * Opens a screen of its own, so that the terminal is as it was afterwards, whatever ends the process. What it returns
 * draws the screen anew.
 */
export async function openSecondScreen(output: Output): Promise<(lines: string[]) => Promise<void>> {
  process.once("exit", () => process.stdout.write("\u001b[?25h\u001b[?1049l"));
  await output.write("\u001b[?1049h\u001b[?25l");
  return async (lines) => {
    await output.write(`\u001b[H\u001b[J${lines.join("\n")}`);
    await output.flush();
  };
}
