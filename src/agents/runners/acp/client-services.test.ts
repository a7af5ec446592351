import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/support/index.ts";
import { basicEnv } from "../../../../test/support/task-world.ts";
import { agentFileBytesMax, agentTerminalsMax } from "./limits.ts";
import { readTextFile, writeTextFile } from "./client-files.ts";
import { ClientTerminals } from "./client-terminals.ts";

const sessionId = "s";

describe("readTextFile()", () => {
  const text = "one\ntwo\nthree\n";

  test.each([
    [{}, text],
    [{ line: 2 }, "two\nthree\n"],
    [{ line: 2, limit: 1 }, "two"],
    [{ limit: 2 }, "one\ntwo"],
    [{ line: 9 }, ""],
    [{ line: null, limit: null }, text],
  ])("gives the lines that are asked for: %j", async (part, expected) => {
    const file = path.join(tempDir(), "a.txt");
    fs.writeFileSync(file, text);
    expect(await readTextFile({ sessionId, path: file, ...part })).toEqual({ content: expected });
  });

  test("refuses what is no file, too large, missing or not absolute", async () => {
    const dir = tempDir();
    const large = path.join(dir, "large");
    fs.writeFileSync(large, "");
    fs.truncateSync(large, agentFileBytesMax + 1);
    for (const [file, code] of [
      [dir, -32602],
      [large, -32602],
      [path.join(dir, "none"), -32002],
      ["a.txt", -32602],
    ] as const) {
      await expect(readTextFile({ sessionId, path: file })).rejects.toMatchObject({ code });
    }
  });
});

test("writeTextFile() says why it cannot", async () => {
  const file = path.join(tempDir(), "file");
  fs.writeFileSync(file, "");
  const below = path.join(file, "below");
  await expect(writeTextFile({ sessionId, path: below, content: "" })).rejects.toMatchObject({
    code: -32603,
  });
});

describe("ClientTerminals", () => {
  const open = (): ClientTerminals => new ClientTerminals({ cwd: tempDir(), env: basicEnv });

  test("runs a program with its arguments, or a whole line, in folder and environment", async () => {
    const terminals = open();
    const run = async (request: object): Promise<string> => {
      const { terminalId } = await terminals.create({ sessionId, command: "", ...request });
      await terminals.waitForExit(terminalId);
      return terminals.output(terminalId).output;
    };
    const dir = tempDir();
    expect(await run({ command: "echo", args: ["a  b", "$HOME"] })).toBe("a  b $HOME\n");
    expect(await run({ command: "echo $X; pwd", env: [{ name: "X", value: "1" }], cwd: dir })).toBe(
      `1\n${fs.realpathSync(dir)}\n`,
    );
    await terminals.close();
  });

  test("kills with all that the command started, and forgets when released", async () => {
    const terminals = open();
    const { terminalId } = await terminals.create({ sessionId, command: "sleep 600 & sleep 600" });
    expect(terminals.output(terminalId)).toEqual({ output: "", truncated: false });
    terminals.kill(terminalId);
    expect(await terminals.waitForExit(terminalId)).toEqual({ exitCode: null, signal: "SIGKILL" });
    terminals.release(terminalId);
    expect(() => terminals.output(terminalId)).toThrow("not found");
    expect(terminals.findOutput(terminalId)).toBeUndefined();
  });

  test("refuses a program that is not there, and one terminal too many", async () => {
    const terminals = open();
    await expect(
      terminals.create({ sessionId, command: "no-such-program", args: ["x"] }),
    ).rejects.toMatchObject({ code: -32602 });
    const some = Array.from({ length: agentTerminalsMax }, () =>
      terminals.create({ sessionId, command: "true" }),
    );
    await Promise.all(some);
    await expect(terminals.create({ sessionId, command: "true" })).rejects.toMatchObject({ code: -32602 });
    await terminals.close();
  });
});
