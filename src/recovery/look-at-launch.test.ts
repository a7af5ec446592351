import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir, waitFor } from "../../test/support/index.ts";
import { deadProcess, endLine, launchLine } from "../../test/support/manifest-lines.ts";
import { systemClock } from "../lib/clock.ts";
import { lookAtLaunch } from "./look-at-launch.ts";
import { openLookContext } from "./open-look-context.ts";
import type { RecoveredItem } from "./recovered-item.ts";

const look = (item: Parameters<typeof lookAtLaunch>[0]): RecoveredItem =>
  lookAtLaunch(item, openLookContext({ home: tempDir(), configDir: tempDir(), clock: systemClock }))!;

function outputFile(text: string): string {
  const file = path.join(tempDir(), "b00000001.output");
  fs.writeFileSync(file, text);
  return file;
}

/** A command that writes to the file, as a client would start it. */
function startWriter(file: string, command: string): { child: ChildProcess; ended: Promise<unknown> } {
  const fd = fs.openSync(file, "a");
  const child = spawn("sh", ["-c", command], { stdio: ["pipe", fd, "ignore"] });
  fs.closeSync(fd);
  return { child, ended: new Promise((resolve) => child.on("close", resolve)) };
}

describe("a command of a client", () => {
  test.each([
    ["completed", 0, "one\ntwo\n\n[exited with code 0]\n", "one\ntwo"],
    ["failed", 3, "one\n\n[exited with code 3]\n", "one"],
    ["stopped", undefined, "one\n\n[killed]\n", "one"],
  ] as const)("has %s when the client wrote so behind its output", (status, exitCode, text, result) => {
    const launch = launchLine({ output_file: outputFile(text) });
    for (const client of [launch.client!, deadProcess]) {
      const item = look({ launch: { ...launch, client }, seenBy: [] });
      expect(item).toMatchObject({ status, result, knownBy: ["manifest", "output file"] });
      expect(item.exitCode).toBe(exitCode);
    }
  });

  test("runs while its client lives and has not said otherwise", () => {
    const launch = launchLine({ output_file: outputFile("one\n") });
    expect(look({ launch, seenBy: [] })).toMatchObject({ status: "running" });
  });

  test("runs when its client is gone and a process has its output open; is lost when none has, with what it wrote", async () => {
    const file = outputFile("");
    const { child, ended } = startWriter(file, "echo one; read line; echo two");
    const launch = launchLine({ output_file: file, client: deadProcess });
    await waitFor(() => fs.readFileSync(file, "utf8") !== "");
    expect(look({ launch, seenBy: [] })).toMatchObject({
      status: "running",
      pids: [child.pid],
      knownBy: ["manifest", `open output file of pid ${child.pid}`],
    });
    child.stdin!.end("go\n");
    await ended;
    expect(look({ launch, seenBy: [] })).toMatchObject({
      status: "lost",
      result: "one\ntwo",
      detail: expect.stringContaining("its output has 8 bytes"),
      knownBy: ["manifest", "processes", "output file"],
    });
  });

  test("runs also when its output was removed under it, and not because somebody reads along", async () => {
    const file = outputFile("");
    const launch = launchLine({ output_file: file, client: deadProcess });
    const reader = spawn("tail", ["-f", file], { stdio: ["ignore", "pipe", "ignore"] });
    const readerEnded = new Promise((resolve) => reader.on("close", resolve));
    await waitFor(() => fs.readdirSync(`/proc/${reader.pid}/fd`).length > 3);
    expect(look({ launch, seenBy: [] }).status).toBe("lost");
    reader.kill("SIGKILL");
    await readerEnded;
    const { child, ended } = startWriter(file, "read line");
    await waitFor(() => look({ launch, seenBy: [] }).status === "running");
    fs.rmSync(file);
    expect(look({ launch, seenBy: [] })).toMatchObject({ status: "running", pids: [child.pid] });
    child.stdin!.end();
    await ended;
    expect(look({ launch, seenBy: [] })).toMatchObject({
      status: "lost",
      detail: expect.stringContaining("its output file is gone, too"),
    });
  });

  test("runs when its client is gone and a shell that carries the client's marks has sent its output elsewhere", async () => {
    const env = { ...process.env, CLAUDE_PID: String(deadProcess.pid), CLAUDE_CODE_SESSION_ID: "s-1" };
    const child = spawn("sleep", ["1000"], { env, stdio: "ignore", detached: true });
    const launch = launchLine({ output_file: outputFile(""), client: deadProcess });
    const item = await waitFor(() => {
      const seen = look({ launch, seenBy: [] });
      return seen.status === "running" ? seen : undefined;
    });
    expect(item).toMatchObject({
      pids: [child.pid],
      knownBy: ["manifest", `session marker of pid ${child.pid}`],
    });
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("close", resolve));
    expect(look({ launch, seenBy: [] }).status).toBe("lost");
  });

  test("does not run because of what another command left behind, nor of a shell that began at another time", async () => {
    const env = { ...process.env, CLAUDE_PID: String(deadProcess.pid), CLAUDE_CODE_SESSION_ID: "s-1" };
    const daemon = spawn("sleep", ["1000"], { env, stdio: "ignore" });
    const shell = spawn("sleep", ["1000"], { env, stdio: "ignore", detached: true });
    const launch = launchLine({ output_file: outputFile(""), client: deadProcess });
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(look({ launch: { ...launch, timestamp: later }, seenBy: [] }).status).toBe("lost");
    await waitFor(() => look({ launch, seenBy: [] }).status === "running");
    expect(look({ launch, seenBy: [] }).pids).toEqual([shell.pid]);
    for (const child of [daemon, shell]) {
      child.kill("SIGKILL");
      await new Promise((resolve) => child.on("close", resolve));
    }
  });

  test("is what its ending says, once that is known", () => {
    const launch = launchLine({ client: deadProcess });
    const end = endLine({ status: "failed", summary: "it failed" });
    expect(look({ launch, end, seenBy: ["s-1"] })).toMatchObject({
      status: "failed",
      detail: "it failed",
      seenBy: ["s-1"],
    });
  });
});

describe("an agent of a client", () => {
  function agentFiles(meta: object, more: object = {}): string {
    const transcript = path.join(tempDir(), "agent-a0123456789abcdef.jsonl");
    const message = { content: [{ type: "text", text: "There are 4711." }] };
    const answer = {
      type: "assistant",
      uuid: "00000000-0000-4000-8000-000000000001",
      parentUuid: null,
      message,
      ...more,
    };
    fs.writeFileSync(transcript, `{"type":"user"}\n${JSON.stringify(answer)}\n`);
    fs.writeFileSync(transcript.replace(".jsonl", ".meta.json"), JSON.stringify(meta));
    return transcript;
  }
  const agent = { agent_id: "a0123456789abcdef", kind: "local_agent", subagent_type: "Explore" } as const;

  test("has completed when its own record says so, whatever became of the client", () => {
    const transcript = agentFiles({ finished: true });
    const launch = launchLine({ ...agent, transcript, client: deadProcess });
    expect(look({ launch, seenBy: [] })).toMatchObject({
      status: "completed",
      result: "There are 4711.",
      agentType: "Explore",
    });
  });

  test("has failed when the client said its last word in its stead, and has stopped when the user stopped it", () => {
    const failed = agentFiles({ finished: true }, { isApiErrorMessage: true });
    const stopped = agentFiles({ stoppedByUser: true });
    for (const client of [launchLine().client!, deadProcess]) {
      expect(
        look({ launch: launchLine({ ...agent, transcript: failed, client }), seenBy: [] }),
      ).toMatchObject({
        status: "failed",
        result: "There are 4711.",
      });
      expect(
        look({ launch: launchLine({ ...agent, transcript: stopped, client }), seenBy: [] }),
      ).toMatchObject({
        status: "stopped",
        detail: "it was stopped by the user",
      });
    }
  });

  test("is lost when it finished and its client was killed before it had written the answer", () => {
    const transcript = agentFiles({ finished: true });
    fs.writeFileSync(transcript, '{"type":"user"}\n');
    const launch = launchLine({ ...agent, transcript, client: deadProcess });
    expect(look({ launch, seenBy: [] })).toMatchObject({
      status: "lost",
      detail: expect.stringContaining("how it ended was not recorded"),
    });
  });

  test("runs while its client lives, and is lost with what it said last when that is gone", () => {
    const transcript = agentFiles({});
    const launch = launchLine({ ...agent, transcript });
    expect(look({ launch, seenBy: [] })).toMatchObject({ status: "running" });
    const lost = look({ launch: { ...launch, client: deadProcess }, seenBy: [] });
    expect(lost).toMatchObject({
      status: "lost",
      result: "There are 4711.",
      detail: expect.stringContaining("had not finished"),
    });
  });
});
