/** Asks on standard error; anything but yes is no. Only where somebody answers (`Environment.isAnswering`). */
export async function confirm(question: string): Promise<boolean> {
  process.stderr.write(`${question} [y/N] `);
  return /^y(es)?$/i.test((await readLine()).trim());
}

// Left to the terminal's own line mode, in which Ctrl+C interrupts and Ctrl+D is an empty answer.
async function readLine(): Promise<string> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, terminal: false });
  const line = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
  });
  lines.close();
  // A terminal that is still read would keep this process from ending.
  process.stdin.destroy();
  return line;
}
