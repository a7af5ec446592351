import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { startTimeOf } from "../../lib/process-identity.ts";
import { findClientProcess, listClientProcesses } from "./client-processes.ts";

let configDir: string;

beforeEach(() => {
  configDir = tempDir();
});

function note(name: string, content: unknown): void {
  fs.mkdirSync(path.join(configDir, "sessions"), { recursive: true });
  fs.writeFileSync(
    path.join(configDir, "sessions", name),
    typeof content === "string" ? content : JSON.stringify(content),
  );
}

const noteTime = (pid: number): number =>
  fs.statSync(path.join(configDir, "sessions", `${pid}.json`)).birthtimeMs;

test("listClientProcesses() lists the clients that run, with what they say", () => {
  note(`${process.pid}.json`, { pid: process.pid, sessionId: "a", cwd: "/x", startedAt: 1 });
  note(`${process.ppid}.json`, { sessionId: "b", cwd: 7 });
  expect(
    listClientProcesses(configDir).toSorted((one, other) => (one.sessionId < other.sessionId ? -1 : 1)),
  ).toEqual([
    { pid: process.pid, sessionId: "a", cwd: "/x", startedAt: 1 },
    { pid: process.ppid, sessionId: "b", startedAt: noteTime(process.ppid) },
  ]);
  expect([findClientProcess(configDir, "a")?.pid, findClientProcess(configDir, "c")]).toEqual([
    process.pid,
    undefined,
  ]);
});

test("listClientProcesses() leaves out one whose pid was given to another process since", () => {
  const procStart = startTimeOf(process.pid);
  note(`${process.pid}.json`, { sessionId: "a", procStart });
  expect(listClientProcesses(configDir)).toMatchObject([{ pid: process.pid, sessionId: "a" }]);
  note(`${process.pid}.json`, { sessionId: "a", procStart: `${Number(procStart) - 1}` });
  expect(listClientProcesses(configDir)).toEqual([]);
});

test("listClientProcesses() leaves out one that was killed and left its note", async () => {
  const child = spawn("sleep", ["60"]);
  note(`${child.pid}.json`, { sessionId: "a" });
  expect(listClientProcesses(configDir)).toMatchObject([{ pid: child.pid, sessionId: "a" }]);
  const closed = new Promise((resolve) => child.on("close", resolve));
  child.kill("SIGKILL");
  await closed;
  expect(listClientProcesses(configDir)).toEqual([]);
});

test.each<[string, unknown]>([
  [`${process.pid}.json`, "torn {"],
  [`${process.pid}.json`, "null"],
  [`${process.pid}.json`, "[]"],
  [`${process.pid}.json`, { sessionId: 7 }],
  [`${process.pid}.json`, {}],
  [`${process.pid}.json.tmp`, { sessionId: "a" }],
  [`x${process.pid}.json`, { sessionId: "a" }],
  ["0.json", { sessionId: "a" }],
  ["99999999999999999999.json", { sessionId: "a" }],
  ["..json", { sessionId: "a" }],
])("listClientProcesses() takes no client from %s with %j", (name, content) => {
  note(name, content);
  expect(listClientProcesses(configDir)).toEqual([]);
});

test("listClientProcesses() lists none where there is no folder, or something else", () => {
  expect(listClientProcesses(configDir)).toEqual([]);
  fs.writeFileSync(path.join(configDir, "sessions"), "");
  expect(listClientProcesses(configDir)).toEqual([]);
});
