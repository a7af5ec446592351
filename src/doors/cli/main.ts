/**
 * The command line: one verb a file under commands/, loaded when it is used.
 * Owns words, tables and exit codes; never a rule about sessions: that belongs into the part it is about.
 *
 * I1  Data goes to standard output, talk to standard error. With `--json`, data is one object.
 * I2  Nothing that came from a transcript reaches a terminal but through src/lib/terminal-text.ts.
 * I3  The environment is read once, in environment.ts; every ending passes run-command-line.ts.
 * I4  Output is written piece by piece, as fast as its reader takes it.
 */
import fs from "node:fs";
import { endQuietlyWithReader, standardStream } from "./standard-streams.ts";

/**
 * Runs one command and leaves its exit code in `process.exitCode`. Imports next to nothing itself: a command
 * pays at start-up only for what it uses. `manifest` is the package's own, for its version.
 */
export async function main(argv: string[], { manifest }: { manifest: URL }): Promise<void> {
  endQuietlyWithReader();
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  if (["--version", "-V", "-v"].includes(argv[0] ?? "")) {
    return void standardStream("stdout").write(Buffer.from(`${readVersion(manifest)}\n`), () => {});
  }
  const { runCommandLine } = await import("./run-command-line.ts");
  process.exitCode = await runCommandLine(argv);
}

function readVersion(manifest: URL): string {
  return (JSON.parse(fs.readFileSync(manifest, "utf8")) as { version: string }).version;
}
