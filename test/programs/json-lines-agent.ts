// A program that prints JSON lines, for tests.
//   json-lines-agent.ts SCRIPT [ARGUMENT…]
// Plays the steps of a JSON file: {print: LINE|object}, {expect: "type"} waits for a line of that type on stdin (and
// notes it), {readAll} for its end, {stderr}, {exit}, {hang}, {child}: leaves a child that holds stdout.
// Notes its arguments and what it was told in $AGENT_LOG.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Step {
  print?: unknown;
  expect?: string;
  readAll?: true;
  stderr?: string;
  exit?: number;
  hang?: "polite" | "deaf";
  bytes?: string;
  long?: number;
  child?: true;
  /** Only when the arguments hold this. */
  when?: string;
}

const [script = "", ...words] = process.argv.slice(2);
const note = (what: string, value: unknown): void =>
  appendFileSync(process.env["AGENT_LOG"]!, `${JSON.stringify({ [what]: value })}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

note("args", words);
for (const step of JSON.parse(readFileSync(script, "utf8")) as Step[]) {
  if (step.when !== undefined && !words.includes(step.when)) continue;
  if (step.print !== undefined) {
    process.stdout.write(`${typeof step.print === "string" ? step.print : JSON.stringify(step.print)}\n`);
  }
  if (step.bytes !== undefined) process.stdout.write(Buffer.from(step.bytes, "hex"));
  if (step.long !== undefined) process.stdout.write(`${"x".repeat(step.long)}\n`);
  if (step.expect !== undefined) {
    for (;;) {
      const { value, done } = await lines.next();
      const line = done ? undefined : (JSON.parse(value) as { type: string });
      if (line) note("heard", line);
      if (!line || line.type === step.expect) break;
    }
  }
  if (step.readAll) {
    const told: string[] = [];
    for (let next = await lines.next(); !next.done; next = await lines.next()) told.push(next.value);
    note("stdin", told.join("\n"));
  }
  if (step.stderr !== undefined) process.stderr.write(step.stderr);
  if (step.child) note("child", spawn("sleep", ["600"], { stdio: ["ignore", "inherit", "ignore"] }).pid);
  if (step.hang) {
    if (step.hang === "deaf") process.on("SIGTERM", () => {});
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  }
  if (step.exit !== undefined) process.exit(step.exit);
}
process.exit(0);
