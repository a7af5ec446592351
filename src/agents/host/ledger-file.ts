import fs from "node:fs";
import { isJsonObject } from "../../format/json-object.ts";
import { writeFully } from "../../lib/atomic-write.ts";
import { codeOf } from "../../lib/errors.ts";
import { livenessOf, type ProcessIdentity } from "../../lib/process-identity.ts";
import { parseJson } from "../../lib/read-json.ts";
import { taskError } from "../../tasks/errors.ts";
import type { Ledger, LedgerLine } from "./budget.ts";

/**
 * The ledger that the processes of a tree of agents share. Each line is one write at the end of the file, so the order in
 * which they stand there is the same for everybody. Created by the agent at the root; one that is gone is no new budget.
 */
export function ledgerFile(file: string): Ledger {
  return {
    append(line) {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      // A full disk takes a part of a line, and says so only when it is asked for the rest.
      withFile(file, fs.constants.O_WRONLY | fs.constants.O_APPEND, (fd) => writeFully(fd, bytes));
    },
    read() {
      const text = withFile(file, fs.constants.O_RDONLY, (fd) => fs.readFileSync(fd, "utf8"));
      const [first = "", ...lines] = text.split("\n").slice(0, -1);
      const head = parseJson(first);
      // Emptied, or cut by a crash: what was used is not known.
      if (!isJsonObject(head) || "request" in head) throw damaged(file);
      const owner = head["owner"] as ProcessIdentity | undefined;
      if (owner && livenessOf(owner) === "dead") throw gone("the worker");
      return lines.map((line) => readLine(file, line));
    },
  };
}

/**
 * Creates the ledger of an agent at the root. With an owner it holds only as long as that process runs, which then goes on
 * counting elsewhere.
 */
export function createLedgerFile(file: string, { owner }: { owner?: ProcessIdentity } = {}): Ledger {
  fs.writeFileSync(file, `${JSON.stringify({ owner })}\n`, { flag: "wx", mode: 0o600 });
  return ledgerFile(file);
}

function gone(what: string): Error {
  return taskError("task_refused", `Cannot continue: ${what} that counts what this agent may use is gone`);
}

function withFile<Result>(file: string, flags: number, use: (fd: number) => Result): Result {
  let fd: number;
  try {
    fd = fs.openSync(file, flags | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    throw gone("the file");
  }
  try {
    return use(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function readLine(file: string, text: string): LedgerLine {
  const line = parseJson(text);
  const isWhole =
    isJsonObject(line) &&
    [line["turns"], line["tokens"], line["costUsd"]].every(
      (count) => Number.isFinite(count) && Number(count) >= 0,
    );
  if (isWhole) return line as unknown as LedgerLine;
  throw damaged(file);
}

function damaged(file: string): Error {
  return taskError(
    "task_refused",
    `Cannot continue: "${file}", which counts what this agent may use, is damaged`,
  );
}
