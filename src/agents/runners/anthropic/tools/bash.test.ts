import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { callTool, toolContext } from "../../../../../test/support/call-tool.ts";
import { tempDir, waitFor } from "../../../../../test/support/index.ts";
import { taskWorld } from "../../../../../test/support/task-world.ts";
import { openLargeOutput, type KeptOutput } from "../../../../store/companions/large-outputs.ts";
import { startTimeOf } from "../../../../lib/process-identity.ts";
import { liveOutputBytesMax } from "../../limits.ts";
import { bashTool } from "./bash.ts";
import type { ToolOutcome } from "./tool.ts";

const bash = (input: object, given: Parameters<typeof toolContext>[0] = {}): Promise<ToolOutcome> =>
  callTool(bashTool, input, toolContext(given));
const printed = (stdout: string, stderr = ""): object => ({
  stdout,
  stderr,
  interrupted: false,
  isImage: false,
  noOutputExpected: false,
});
const pidIn = (file: string): number | undefined =>
  fs.existsSync(file) && fs.readFileSync(file, "utf8").endsWith("\n")
    ? Number(fs.readFileSync(file, "utf8"))
    : undefined;
const isGone = (pid: number): boolean => startTimeOf(pid) === undefined;

describe("Bash", () => {
  test("gives what a command printed, and runs it in the working folder", async () => {
    const cwd = tempDir();
    expect(await bash({ command: "pwd; echo oops >&2" }, { cwd })).toEqual({
      content: `${cwd}\noops`,
      toolUseResult: printed(cwd, "oops"),
    });
  });

  test("has no input and no terminal", async () => {
    expect(await bash({ command: "cat; test -t 0 || echo none" })).toMatchObject({ content: "none" });
  });

  test.each([
    ["echo so far; echo why >&2; exit 3", "Exit code 3\nso far\nwhy"],
    ["kill -SEGV $$", "Ended by SIGSEGV"],
    ["no-such-program", expect.stringMatching(/^Exit code 127\n/)],
  ])("tells how %j failed", async (command, content) => {
    expect(await bash({ command })).toMatchObject({ content, isError: true });
  });

  test("says so when the folder is gone", async () => {
    await expect(bash({ command: "ls" }, { cwd: "/no/such/folder" })).rejects.toThrow("ENOENT");
  });

  test("tells whoever watches how the output ends while the command runs", async () => {
    const cwd = tempDir();
    const told: { toolUseId: string; text: string }[] = [];
    const command = "seq 1 2000; echo last >&2; while [ ! -e go ]; do sleep 0.05; done";
    const running = bash({ command }, { cwd, tellOutput: (output) => told.push(output) });
    const seen = await waitFor(() => told.find(({ text }) => text.includes("last") && text.includes("2000")));
    expect(seen.toolUseId).toBe("toolu_1");
    expect(Buffer.byteLength(seen.text)).toBeLessThanOrEqual(liveOutputBytesMax);
    fs.writeFileSync(path.join(cwd, "go"), "");
    await running;
  });

  test("keeps the head and the tail of a long output", async () => {
    const { content } = await bash({ command: "seq 1 100000" });
    expect(content).toMatch(/^1\n2\n[^]*\n\[output truncated: 558895 bytes\]\n[^]*\n99999\n100000$/);
  });

  test("keeps all of a long output in a file, and points there", async () => {
    const configDir = tempDir();
    const keepOutput = (tool: string): KeptOutput => openLargeOutput({ configDir, sessionId: "s1", tool });
    const outputs = (): string[] => fs.globSync("mcp-outputs/s1/*", { cwd: configDir });
    // Two streams that fit one by one.
    const fits = "head -c 25000 /dev/zero | tr '\\0' a; head -c 25000 /dev/zero | tr '\\0' b >&2";
    await bash({ command: fits }, { keepOutput });
    expect(outputs()).toEqual([]);

    const { content, toolUseResult } = await bash({ command: "echo err >&2; seq 1 100000" }, { keepOutput });
    const [name] = outputs();
    const file = path.join(configDir, name!);
    const text = fs.readFileSync(file, "utf8");
    expect(text.split("\n").filter((line) => line !== "err")).toEqual([
      ...Array.from({ length: 100_000 }, (_, index) => String(index + 1)),
      "",
    ]);
    expect(content).toContain("[output truncated: ");
    expect(content).toContain(` (${text.length} bytes) is in: ${file}\n`);
    expect(toolUseResult).toMatchObject({ persistedOutputPath: file, persistedOutputSize: text.length });

    // Cut, though all of it was still in memory.
    const failed = await bash({ command: "head -c 40000 /dev/zero | tr '\\0' c; exit 3" }, { keepOutput });
    const second = outputs().find((each) => each !== name);
    expect(fs.readFileSync(path.join(configDir, second!), "utf8")).toBe("c".repeat(40_000));
    expect(failed.content).toContain(second);
  });

  test("says so when a long output cannot be kept, and passes over what comes after the end", async () => {
    const configDir = tempDir();
    fs.mkdirSync(path.join(configDir, "mcp-outputs"));
    fs.symlinkSync(tempDir(), path.join(configDir, "mcp-outputs", "s1"));
    const keepOutput = (tool: string): KeptOutput => openLargeOutput({ configDir, sessionId: "s1", tool });
    const { content, toolUseResult } = await bash({ command: "seq 1 100000" }, { keepOutput });
    expect(content).toMatch(/could not be kept/);
    expect(toolUseResult).not.toHaveProperty("persistedOutputPath");

    const kept: string[] = [];
    const [cwd, gone] = [tempDir(), "gone"];
    const inMemory = (): KeptOutput => ({
      write: (bytes) => void kept.push(Buffer.from(bytes).toString()),
      close: () => ({ path: gone, bytes: 0, pointer: gone }),
    });
    const late = "(until [ -e go ]; do sleep 0.05; done; echo late; touch said) & seq 1 100000";
    await bash({ command: late }, { cwd, keepOutput: inMemory });
    fs.writeFileSync(path.join(cwd, "go"), "");
    await waitFor(() => fs.existsSync(path.join(cwd, "said")));
    expect(kept.join("")).not.toContain("late");
  });

  test("stops a command with all that it started when its time is over", async () => {
    const file = path.join(tempDir(), "pid");
    const command = `echo begun; setsid sh -c 'echo $$ > ${file}; exec sleep 1000' & sleep 1000`;
    // Long enough for the child to have written its pid on a loaded machine.
    const running = bash({ command, timeout: 3000 });
    const pid = await waitFor(() => pidIn(file));
    expect(await running).toEqual({
      content:
        "Stopped after 3000 ms, with everything that it started; run it in the background, or give it a longer timeout (up to 600000 ms)\nbegun",
      isError: true,
      toolUseResult: { ...printed("begun"), interrupted: true },
    });
    expect(isGone(pid)).toBe(true);
  });

  test.each([
    ["obeys", "exec sleep 1000"],
    ["does not obey", "trap '' TERM; while :; do sleep 1000; done"],
  ])("stops at the signal a command that %s", async (_case, rest) => {
    const file = path.join(tempDir(), "pid");
    const stop = new AbortController();
    const running = bash({ command: `echo begun; echo $$ > ${file}; ${rest}` }, { signal: stop.signal });
    const pid = await waitFor(() => pidIn(file));
    stop.abort();
    expect(await running).toEqual({
      content: "Interrupted: the command was stopped before it ended\nbegun",
      isError: true,
      toolUseResult: { ...printed("begun"), interrupted: true },
    });
    expect(isGone(pid)).toBe(true);
  });

  test("leaves the tasks alone that an interrupted command launched", async () => {
    await using world = taskWorld();
    const stop = new AbortController();
    const running = bash({ command: "env > env; exec sleep 1000" }, { cwd: world.cwd, signal: stop.signal });
    const file = path.join(world.cwd, "env");
    const [, marker] = await waitFor(
      () => fs.existsSync(file) && /^HOLDFAST_COMMAND_ID=(.+)$/m.exec(fs.readFileSync(file, "utf8")),
    );
    // As `holdfast run` would inside the command, with its environment.
    const env = { HOLDFAST_COMMAND_ID: marker! };
    const task = await world.tasks.start({ command: "sleep 1000", cwd: world.cwd, env });
    stop.abort();
    await running;
    expect((await world.tasks.refresh(task)).state.status).toBe("running");
  });

  test("starts nothing when the signal came before", async () => {
    const cwd = tempDir();
    await expect(bash({ command: "echo > ran" }, { cwd, signal: AbortSignal.abort() })).rejects.toThrow(
      "aborted",
    );
    expect(fs.readdirSync(cwd)).toEqual([]);
  });

  test("does not wait for what a command left in the background, nor end it", async () => {
    const file = path.join(tempDir(), "pid");
    const outcome = await bash({ command: `sleep 1000 & echo $! > ${file}; echo done` });
    expect(outcome).toMatchObject({ content: "done" });
    const pid = pidIn(file)!;
    expect(isGone(pid)).toBe(false);
    process.kill(pid, "SIGKILL");
    await waitFor(() => isGone(pid));
  });

  test("starts a background task through the request", async () => {
    const asked: object[] = [];
    const context = toolContext();
    const startShell = (request: object): Promise<{ taskId: string; outputFile: string }> => {
      asked.push(request);
      return Promise.resolve({ taskId: "b12345678", outputFile: "/out" });
    };
    const input = { command: "npm run build", description: "Build", timeout: 5, run_in_background: true };
    const outcome = await callTool(bashTool, input, { ...context, tasks: { ...context.tasks, startShell } });
    expect(asked).toEqual([
      {
        command: "npm run build",
        cwd: context.cwd,
        env: { SHELL: expect.stringMatching(/\/bash$/) as string },
        description: "Build",
        timeoutMs: 5,
        toolUseId: "toolu_1",
      },
    ]);
    expect(outcome).toEqual({
      content: "Command running in background with ID: b12345678. Output is being written to: /out",
      toolUseResult: { ...printed(""), backgroundTaskId: "b12345678" },
    });
  });

  test("refuses a timeout beyond the limit", () => {
    expect(bashTool.prepare({ command: "ls", timeout: 600_001 })).toEqual({
      refusal: expect.stringMatching(/The input of Bash is not valid:[^]*600000/),
    });
  });
});
