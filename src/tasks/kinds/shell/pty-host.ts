/**
 * Owns the pseudo-terminal of one task. Started by the task's supervisor as its command, with the task's output file as
 * stdout: what the program prints goes there, and to whoever is attached. Ends as the program ended.
 *
 *   node pty-host.js BASE.pty SHELL COMMAND
 */
import fs from "node:fs";
import net from "node:net";
import { setTimeout } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";
import { terminalClientBytesMax, terminalSizeMax } from "./limits.ts";
import { writeFully } from "../../../lib/atomic-write.ts";
import { parseJson } from "../../../lib/read-json.ts";
import { lookAtProcesses } from "../../../lib/process-table.ts";
import { taskMarker } from "../../supervise/task-processes.ts";
import { truncationMark } from "../../output/read-output.ts";
import { shortSocketPath } from "./pty-connection.ts";

const [socketPath = "", shell = "/bin/sh", command = ""] = process.argv.slice(2);
const base = socketPath.slice(0, -".pty".length);
const clients = new Set<net.Socket>();

const program = spawn(shell, ["-c", command], {
  name: "xterm-256color",
  cols: 80,
  rows: 24,
  cwd: process.cwd(),
  env: process.env,
  // Bytes as they are: a program may print what is no text.
  encoding: null,
});
program.onData((data) => {
  const bytes = data as unknown as Buffer;
  keep(bytes);
  for (const client of clients) {
    // One that does not read must not fill the memory.
    if (client.writableLength > terminalClientBytesMax) client.destroy();
    else client.write(bytes);
  }
});

// The program lives on when the disk is full; once it is not, the output says what it lacks.
let unwritten = 0;
function keep(bytes: Buffer): void {
  try {
    if (unwritten > 0) writeFully(1, Buffer.from(truncationMark(unwritten)));
    unwritten = 0;
    writeFully(1, bytes);
  } catch {
    unwritten += bytes.length;
  }
}

const { path: short, close: closeDir } = shortSocketPath(base);
const server = net.createServer((client) => {
  client.on("close", () => clients.delete(client));
  client.on("error", () => clients.delete(client));
  let rest = "";
  client.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) handle(line, client);
  });
});
server.listen(short, () => closeDir());

const FLUSH_MS = 200;

program.onExit(({ exitCode, signal }) => {
  fs.rmSync(socketPath, { force: true });
  server.close();
  const told = Promise.all([...clients].map((client) => new Promise<void>((resolve) => client.end(resolve))));
  const exit = (): void => process.exit(signal ? 128 + signal : exitCode);
  void Promise.race([told, setTimeout(FLUSH_MS)]).then(exit);
});

// What ends a task reaches every process that carries its marker; only one that does not is told by us, so that nobody
// is told twice. Interrupts and hangups come to us alone.
process.on("SIGTERM", () => {
  if (!lookAtProcesses().environment(program.pid).includes(`\0${taskMarker}=`)) program.kill("SIGTERM");
});
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => program.kill(signal));

function handle(line: string, client: net.Socket): void {
  const { attach, input, resize } = parseMessage(line);
  if (attach === true) addClient(client);
  if (typeof input === "string") program.write(input);
  const [columns, rows] = [Number(resize?.columns), Number(resize?.rows)];
  if (isSize(columns) && isSize(rows)) program.resize(columns, rows);
}

// Only who asks is sent anything: one that came to say something may have left, and writing to it would break the
// connection before its words are read. What was printed before is in the file up to `from`, so that nothing is missed
// or shown twice.
function addClient(client: net.Socket): void {
  client.write(`${JSON.stringify({ from: fs.fstatSync(1).size })}\n`);
  clients.add(client);
}

function parseMessage(line: string): {
  attach?: unknown;
  input?: unknown;
  resize?: { columns?: unknown; rows?: unknown } | null;
} {
  return (parseJson(line) as object | null | undefined) ?? {};
}

function isSize(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= terminalSizeMax;
}
