import type { Command } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { formatDuration, plural } from "../../../lib/quantities.ts";

export const command: Command = {
  examples: [
    { line: "holdfast demo", text: "a few seconds, on a home that is removed afterwards" },
    { line: "holdfast demo > tour.txt", text: "keep it to read" },
    { line: "holdfast demo --json", text: "only the claims, and whether they are true" },
  ],
  async run({ environment, isJson, writeJson, say }) {
    const { Narrator } = await import("../demo/narrator.ts");
    const { runDemo } = await import("../demo/run-demo.ts");
    const { style } = environment.stdout;
    const columns = Math.min(environment.stdout.columns, 100);
    const write = (line: string): void => {
      if (!isJson) process.stdout.write(`${line}\n`);
    };
    write(`${style.bold("holdfast demo")}: a tour on a temporary home. Every ✓ was checked.`);
    const narrator = new Narrator({ write, style, columns });
    const { failed, durationMs } = await runDemo(narrator, { columns });
    const { claims } = narrator;
    if (isJson) await writeJson({ isSo: !failed, durationMs: Math.round(durationMs), claims });
    else if (!failed)
      write(
        `\n${plural(claims.length, "claim")}, all so, in ${formatDuration(durationMs)}. Your own files were not touched. Next: holdfast sessions --all`,
      );
    if (!failed) return exitCodes.ok;
    say(`holdfast: Not so: ${failed.text} (${failed.scene})`);
    return exitCodes.failed;
  },
};
