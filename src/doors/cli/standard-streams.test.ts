import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir, waitFor } from "../../../test/support/index.ts";

const BYTES = 1_000_000;
const module = new URL("./standard-streams.ts", import.meta.url).href;
const program = `
  const { endQuietlyWithReader, standardStream } = await import(${JSON.stringify(module)});
  endQuietlyWithReader();
  process.exitCode = 7;
  const write = (n) => new Promise((resolve, reject) =>
    standardStream("stdout").write(Buffer.alloc(${BYTES}, n), (error) => error ? reject(error) : resolve()));
  await write("a");
  await write("b");
  standardStream("stderr").write(Buffer.from("done"), () => {});
`;
const args = ["--input-type=module", "-e", program];

describe("standardStream()", () => {
  test("writes all to a file, in order", () => {
    const file = path.join(tempDir(), "out");
    const fd = fs.openSync(file, "w");
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ["ignore", fd, "pipe"] });
    fs.closeSync(fd);
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 7, stderr: "done" });
    expect(fs.readFileSync(file, "latin1")).toBe("a".repeat(BYTES) + "b".repeat(BYTES));
  });

  test("writes all to a pipe that does not wait", async () => {
    const fifo = path.join(tempDir(), "pipe");
    spawnSync("mkfifo", [fifo]);
    const fd = fs.openSync(fifo, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
    const child = spawn(process.execPath, args, { stdio: ["ignore", fd, "inherit"] });
    const reader = spawn("head", ["-c", String(2 * BYTES), fifo], { stdio: ["ignore", "pipe", "inherit"] });
    const pieces: Buffer[] = [];
    reader.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    const [[code]] = await Promise.all([once(child, "exit"), once(reader, "close")]);
    fs.closeSync(fd);
    expect(code).toBe(7);
    expect(Buffer.concat(pieces).toString("latin1")).toBe("a".repeat(BYTES) + "b".repeat(BYTES));
  });

  test("ends quietly, with the code that was set, when its reader has gone", () => {
    const line = `"$0" "$@" | head -c 10; echo " $PIPESTATUS"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", line, process.execPath, ...args], {
      encoding: "utf8",
    });
    expect({ stdout, stderr }).toEqual({ stdout: "aaaaaaaaaa 7\n", stderr: "" });
  });

  test("ends quietly when its reader goes while it waits for it", async () => {
    // Node gives its children sockets for pipes. A write that waits in one hears of a connection that was reset.
    const waiting = `
      const { endQuietlyWithReader, standardStream } = await import(${JSON.stringify(module)});
      endQuietlyWithReader();
      process.exitCode = 7;
      const fail = (error) => { if (error) throw error; };
      standardStream("stderr").write(Buffer.from("begun"), fail);
      for (let i = 0; i < 10_000; i++) standardStream("stdout").write(Buffer.alloc(1000), fail);
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", waiting]);
    let stderr = "";
    child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString()));
    const isAsleep = (): boolean => / S /.test(fs.readFileSync(`/proc/${child.pid}/stat`, "utf8"));
    await waitFor(() => stderr === "begun" && isAsleep());
    child.stdout.destroy();
    const [code] = (await once(child, "close")) as [number];
    expect({ code, stderr }).toEqual({ code: 7, stderr: "begun" });
  });
});
