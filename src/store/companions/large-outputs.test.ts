import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { failingFileOps } from "../../../test/support/failing-file-ops.ts";
import { fakeClock, tempDir, TranscriptBuilder } from "../../../test/support/index.ts";
import { largeOutputNamesMax, largeOutputReadBytesMax } from "./limits.ts";
import { listLargeOutputs, openLargeOutput, readLargeOutput, writeLargeOutput } from "./large-outputs.ts";

describe("writeLargeOutput()", () => {
  it("keeps the output under the tool's name and date, twice in one moment too, and points to it", () => {
    const configDir = tempDir();
    const options = { configDir, sessionId: "s1", tool: "mcp__db__query/../x", clock: fakeClock() };
    const [first, second] = [writeLargeOutput({ rows: [1] }, options), writeLargeOutput("text", options)];
    const stem = path.join(
      configDir,
      "mcp-outputs/s1/mcp-output-mcp__db__query____x-2026-01-02T03-04-05-000Z",
    );
    expect([first.path, second.path]).toEqual([`${stem}.json`, `${stem}-2.json`]);
    expect(
      [first, second].map(({ path: file }) => JSON.parse(fs.readFileSync(file, "utf8")) as unknown),
    ).toEqual([{ rows: [1] }, "text"]);
    expect(first.bytes).toBe(fs.statSync(first.path).size);
    expect(first.pointer).toContain(first.path);
    expect([
      fs.statSync(first.path).mode & 0o777,
      fs.statSync(path.dirname(first.path)).mode & 0o777,
    ]).toEqual([0o600, 0o700]);
  });

  it("throws target_exists when every name of the moment is taken", () => {
    const options = { configDir: tempDir(), sessionId: "s1", tool: "t", clock: fakeClock() };
    for (let count = 0; count < largeOutputNamesMax; count++) writeLargeOutput(count, options);
    expect(() => writeLargeOutput("one more", options)).toThrow(
      expect.objectContaining({ code: "target_exists" }),
    );
  });

  it("refuses a folder that is a link", () => {
    const configDir = tempDir();
    fs.mkdirSync(path.join(configDir, "mcp-outputs"));
    fs.symlinkSync(tempDir(), path.join(configDir, "mcp-outputs/s1"));
    expect(() => writeLargeOutput("x", { configDir, sessionId: "s1", tool: "t" })).toThrow(
      expect.objectContaining({ code: "unsafe_path" }),
    );
  });
});

describe("openLargeOutput()", () => {
  it("keeps what is written as it comes, and makes nothing before", () => {
    const configDir = tempDir();
    const options = { configDir, sessionId: "s1", tool: "Bash", clock: fakeClock() };
    expect(openLargeOutput(options).close()).toBeUndefined();
    expect(fs.readdirSync(configDir)).toEqual([]);
    const outputs = [openLargeOutput(options), openLargeOutput(options)];
    for (const piece of ["one\n", "two\n"]) for (const output of outputs) output.write(Buffer.from(piece));
    const written = outputs.map((output) => output.close()!);
    const stem = path.join(configDir, "mcp-outputs/s1/mcp-output-Bash-2026-01-02T03-04-05-000Z");
    expect(written.map((each) => [each.path, each.bytes])).toEqual([
      [`${stem}.txt`, 8],
      [`${stem}-2.txt`, 8],
    ]);
    expect(written[0]!.pointer).toContain(` (8 bytes) is in: ${stem}.txt`);
    expect(fs.readFileSync(written[1]!.path, "utf8")).toBe("one\ntwo\n");
    expect(fs.statSync(written[0]!.path).mode & 0o777).toBe(0o600);
  });

  it("leaves nothing, and throws nothing, when the disk is full", () => {
    const configDir = tempDir();
    for (const call of ["open", "write"] as const) {
      const { files } = failingFileOps(1, { call, error: "ENOSPC" });
      const output = openLargeOutput({ configDir, sessionId: "s1", tool: "Bash", files });
      output.write(Buffer.from("one"));
      output.write(Buffer.from("two"));
      expect(output.close()).toBeUndefined();
      expect(fs.globSync("mcp-outputs/s1/*", { cwd: configDir })).toEqual([]);
    }
  });
});

describe("readLargeOutput()", () => {
  it("reads what was spilled beside the transcript, in pieces", () => {
    const configDir = tempDir();
    const session = new TranscriptBuilder().write(configDir);
    const dir = path.join(path.dirname(session.path), session.sessionId, "tool-results");
    fs.mkdirSync(dir, { recursive: true });
    const text = "0123456789".repeat(largeOutputReadBytesMax / 8);
    fs.writeFileSync(path.join(dir, "b244i7o05.txt"), text);
    fs.symlinkSync("b244i7o05.txt", path.join(dir, "link.txt"));
    const { outputs, problems } = listLargeOutputs({ configDir, session });
    expect({ outputs: outputs.map(({ kind, name, bytes }) => ({ kind, name, bytes })), problems }).toEqual({
      outputs: [{ kind: "tool-result", name: "b244i7o05.txt", bytes: text.length }],
      problems: [],
    });
    const from = { configDir, session, kind: "tool-result", name: "b244i7o05.txt" } as const;
    const first = readLargeOutput(from);
    const rest = readLargeOutput({ ...from, offset: first.nextOffset! });
    expect(first.bytes.toString() + rest.bytes.toString()).toBe(text);
    expect([first.total, rest.nextOffset]).toEqual([text.length, undefined]);
    expect(readLargeOutput({ ...from, offset: text.length + 5 })).toEqual({
      bytes: Buffer.alloc(0),
      total: text.length,
    });
  });

  it.each(["none.txt", "link.txt", "folder"])("throws companion_not_found for %s", (name) => {
    const configDir = tempDir();
    const session = new TranscriptBuilder().write(configDir);
    const dir = path.join(path.dirname(session.path), session.sessionId, "tool-results");
    fs.mkdirSync(path.join(dir, "folder"), { recursive: true });
    fs.symlinkSync(session.path, path.join(dir, "link.txt"));
    const read = () => readLargeOutput({ configDir, session, kind: "tool-result", name });
    expect(read).toThrow(expect.objectContaining({ code: "companion_not_found" }));
  });

  it("throws on a name that leads out of the folder", () => {
    const configDir = tempDir();
    const session = new TranscriptBuilder().write(configDir);
    const read = () => readLargeOutput({ configDir, session, kind: "mcp-output", name: "../../x" });
    expect(read).toThrow(expect.objectContaining({ code: "invalid_name" }));
  });
});
