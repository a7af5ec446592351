/**
 * Owns the pseudo-terminal of one task. Started by the task's supervisor as its command, with the task's output file as
 * stdout: what the program prints goes there, and to whoever is attached. Ends as the program ended.
 *
 *   node pty-host.js BASE.pty SHELL COMMAND
 */
import fs from "node:fs";
import net from "node:net";
import { spawn } from "@lydell/node-pty";
import { shortSocketPath, type PtyMessage } from "./pty-connection.ts";

const [socketPath = "", shell = "/bin/sh", command = ""] = process.argv.slice(2);
const base = socketPath.slice(0, -".pty".length);
const clients = new Set<net.Socket>();

const program = spawn(shell, ["-c", command], {
  name: "xterm-256color",
  cols: 80,
  rows: 24,
  cwd: process.cwd(),
  env: process.env,
});
program.onData((data) => {
  fs.writeSync(1, data);
  for (const client of clients) client.write(data);
});

const { path: short, close: closeDir } = shortSocketPath(base);
const server = net.createServer((client) => {
  clients.add(client);
  client.on("close", () => clients.delete(client));
  client.on("error", () => clients.delete(client));
  let rest = "";
  client.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) handle(line);
  });
});
server.listen(short, () => closeDir());

program.onExit(({ exitCode, signal }) => {
  for (const client of clients) client.end();
  fs.rmSync(socketPath, { force: true });
  server.close();
  process.exit(signal ? 128 + signal : exitCode);
});
// The program gets the signals that its terminal's owner gets.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => program.kill(signal));

function handle(line: string): void {
  let message: PtyMessage;
  try {
    message = JSON.parse(line) as PtyMessage;
  } catch {
    return;
  }
  if ("input" in message) program.write(message.input);
  else program.resize(Math.max(1, message.resize.columns), Math.max(1, message.resize.rows));
}
