import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { failingFileOps, tempDir, type FileFault } from "../../../test/support/index.ts";
import { findLeaseHolder } from "../../lib/lease.ts";
import { readConversation } from "../read/conversation.ts";
import { leasePath, openTranscriptWriter, type TranscriptWriterOptions } from "./transcript-writer.ts";

interface Place {
  file: string;
  leaseDir: string;
}

function place(): Place {
  const dir = tempDir();
  return { file: path.join(dir, "projects", "-p", "s1.jsonl"), leaseDir: path.join(dir, "leases") };
}

const optionsOf = (at: Place, more: Partial<TranscriptWriterOptions> = {}): TranscriptWriterOptions => ({
  ...at,
  sessionId: "s1",
  ...more,
});

const linesOf = ({ file }: Place): string[] => fs.readFileSync(file, "utf8").split("\n");

describe.each(["none", "flush", "sync"] as const)(
  "openTranscriptWriter() with durability %s",
  (durability) => {
    test("writes entries whole, in the order of the calls, and gives the lease up", async () => {
      const at = place();
      const writer = openTranscriptWriter(optionsOf(at, { durability }));
      const appends = Array.from({ length: 50 }, (_, n) =>
        writer.append({ type: "user", n, text: "ü\n".repeat(n) }),
      );
      await Promise.all(appends);
      await writer.appendLine('{"type":"kept",  "as":"it is"}');
      await writer.settle();
      expect(linesOf(at)).toEqual([
        ...Array.from({ length: 50 }, (_, n) => JSON.stringify({ type: "user", n, text: "ü\n".repeat(n) })),
        '{"type":"kept",  "as":"it is"}',
        "",
      ]);
      expect(findLeaseHolder(leasePath(at.leaseDir, at.file))?.subject).toBe("s1");
      await writer.close();
      await writer.close();
      expect(fs.readdirSync(at.leaseDir)).toEqual([]);
      await expect(writer.append({ type: "user" })).rejects.toMatchObject({ code: "writer_closed" });
    });

    test("writes bytes as they were given, though the caller uses them again and some are long", async () => {
      const at = place();
      const writer = openTranscriptWriter(optionsOf(at, { durability }));
      const lines: string[] = [];
      const bytes = Buffer.alloc(3_000_000);
      for (const length of [10, 100_000, 3_000_000, 20, 70_000, 30]) {
        const line = String(lines.length).repeat(length);
        lines.push(line);
        void writer.appendLine(bytes.subarray(0, bytes.write(line)));
        if (lines.length % 2 === 0) await writer.settle();
      }
      await writer.close();
      expect(linesOf(at)).toEqual([...lines, ""]);
    });

    test("writes what is still waiting when it is closed", async () => {
      const at = place();
      const writer = openTranscriptWriter(optionsOf(at, { durability }));
      const append = writer.append({ type: "user" });
      await writer.close();
      await append;
      expect(linesOf(at)).toEqual(['{"type":"user"}', ""]);
    });

    test.each<[string, string | Uint8Array]>([
      ["text", '{"type":"ünïcödé"}'],
      ["bytes", Buffer.from('{"type":"ünïcödé"}')],
    ])("finishes a line of %s of which the system took only half at first", async (_what, line) => {
      const at = place();
      // The first write is the lease's.
      const { files } = failingFileOps(2, { call: "write", short: true });
      const writer = openTranscriptWriter(optionsOf(at, { durability, files }));
      await writer.appendLine(line);
      await writer.append({ type: "next" });
      await writer.close();
      expect(linesOf(at)).toEqual(['{"type":"ünïcödé"}', '{"type":"next"}', ""]);
    });

    test("says on close that an append failed which nobody waited for", async () => {
      const at = place();
      // The first write is the lease's.
      const { files } = failingFileOps(2, { call: "write", error: "ENOSPC" });
      const writer = openTranscriptWriter(optionsOf(at, { durability, files }));
      const outcomes = await Promise.allSettled([writer.append({ type: "user" }), writer.close()]);
      expect(
        outcomes
          .filter(({ status }) => status === "rejected")
          .map((outcome) => (outcome as PromiseRejectedResult).reason),
      ).toEqual([
        expect.objectContaining({ code: "append_failed", retryable: true, fields: { path: at.file } }),
      ]);
      expect(fs.readdirSync(at.leaseDir)).toEqual([]);
    });
  },
);

test("openTranscriptWriter() makes file and folders private", async () => {
  const at = place();
  await openTranscriptWriter(optionsOf(at)).close();
  const modes = [at.file, path.dirname(at.file), at.leaseDir].map((name) => fs.statSync(name).mode & 0o777);
  expect(modes).toEqual([0o600, 0o700, 0o700]);
});

test("openTranscriptWriter() refuses a second writer with a conflict that names pid and session", async () => {
  const at = place();
  const writer = openTranscriptWriter(optionsOf(at));
  expect(() => openTranscriptWriter(optionsOf(at))).toThrow(
    expect.objectContaining({
      code: "conflict",
      message: `Cannot write session "s1": locked by pid ${process.pid}`,
      fields: expect.objectContaining({ pid: process.pid, subject: "s1" }) as unknown,
    }),
  );
  await writer.close();
});

test.each<[string, (at: Place) => void, string]>([
  ["a link", (at) => fs.symlinkSync(path.join(at.leaseDir, "elsewhere"), at.file), "unsafe_path"],
  ["a named pipe", (at) => execFileSync("mkfifo", [at.file]), "not_a_transcript"],
  ["a folder", (at) => fs.mkdirSync(at.file), "not_a_transcript"],
])("openTranscriptWriter() refuses %s in the file's place and keeps no lease", (_case, plant, code) => {
  const at = place();
  fs.mkdirSync(path.dirname(at.file), { recursive: true });
  plant(at);
  expect(() => openTranscriptWriter(optionsOf(at))).toThrow(expect.objectContaining({ code }));
  expect(fs.readdirSync(at.leaseDir)).toEqual([]);
});

test("leasePath() fits a file name, whatever the transcript is called, and differs for the same name elsewhere", () => {
  const names = [
    "/a/漢".repeat(3) + "漢".repeat(80) + ".jsonl",
    `/a/${"x".repeat(240)}.jsonl`,
    "/a/s.jsonl",
    "/b/s.jsonl",
  ];
  const leases = names.map((name) => path.basename(leasePath("/l", name)));
  expect(leases.filter((lease) => Buffer.byteLength(lease) > 130)).toEqual([]);
  expect(new Set(leases).size).toBe(names.length);
});

test.each(["", "two\nlines"])("appendLine() throws on %j, which is not one line", async (line) => {
  await using writer = openTranscriptWriter(optionsOf(place()));
  await expect(writer.appendLine(line)).rejects.toThrow(TypeError);
});

test("append() closes a line that a foreign writer left open, each time", async () => {
  const at = place();
  fs.mkdirSync(path.dirname(at.file), { recursive: true });
  fs.writeFileSync(at.file, '{"type":"torn');
  const writer = openTranscriptWriter(optionsOf(at));
  await writer.append({ type: "one" });
  fs.appendFileSync(at.file, '{"type":"foreign"}');
  await writer.append({ type: "two" });
  fs.appendFileSync(at.file, '{"type":"foreign"}\n');
  await writer.append({ type: "three" });
  fs.truncateSync(at.file, fs.statSync(at.file).size - 5);
  await writer.append({ type: "four" });
  await writer.close();
  expect(linesOf(at)).toEqual([
    '{"type":"torn',
    '{"type":"one"}',
    '{"type":"foreign"}',
    '{"type":"two"}',
    '{"type":"foreign"}',
    '{"type":"thr',
    '{"type":"four"}',
    "",
  ]);
});

test("append() acknowledges the lines that were whole when a shared write stopped, and starts clean afterwards", async () => {
  const at = place();
  const { files } = failingFileOps(2, { call: "write", error: "ENOSPC", short: true });
  const writer = openTranscriptWriter(optionsOf(at, { durability: "sync", files }));
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => writer.append({ type: "user", n })));
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "rejected",
    "rejected",
  ]);
  await writer.append({ type: "user", n: 6 });
  await writer.close();
  expect(linesOf(at)).toEqual([
    '{"type":"user","n":1}',
    '{"type":"user","n":2}',
    '{"type":"us',
    '{"type":"user","n":6}',
    "",
  ]);
  const { rejections } = await readConversation(at.file);
  expect(rejections).toEqual([{ offset: 44, length: 11, reason: "torn" }]);
});

test("append() shares one write among the lines of a turn, all of them where the turn before had several", async () => {
  const at = place();
  const { files, calls } = failingFileOps(Infinity, { call: "write" });
  const writer = openTranscriptWriter(optionsOf(at, { durability: "flush", files }));
  const writes: number[] = [];
  for (const lines of [1, 1, 16, 16, 16, 1, 1, 2, 2]) {
    const before = calls();
    await Promise.all(Array.from({ length: lines }, (_, n) => writer.append({ type: "user", n })));
    writes.push(calls() - before);
  }
  await writer.close();
  expect(writes).toEqual([1, 1, 2, 1, 1, 1, 1, 2, 1]);
});

test.each([{}, { short: true }])(
  "append() acknowledges exactly the lines that are in the file, whichever write of many fails, %j",
  async (how) => {
    let failed = 0;
    for (let nth = 2; ; nth++) {
      const at = place();
      const { files, calls } = failingFileOps(nth, { call: "write", error: "ENOSPC", ...how });
      const writer = openTranscriptWriter(optionsOf(at, { durability: "flush", files }));
      const acknowledged: number[] = [];
      let line = 0;
      for (const lines of [1, 3, 5, 1, 1, 4, 2, 1]) {
        const appends = Array.from({ length: lines }, () => ({ n: ++line }));
        const outcomes = await Promise.allSettled(appends.map(({ n }) => writer.append({ type: "user", n })));
        for (const [index, { status }] of outcomes.entries())
          if (status === "fulfilled") acknowledged.push(appends[index]!.n);
      }
      await writer.close();
      const whole = linesOf(at).flatMap((text) =>
        text.endsWith("}") ? [(JSON.parse(text) as { n: number }).n] : [],
      );
      expect(whole, `write ${nth}`).toEqual(acknowledged);
      failed += line - acknowledged.length;
      if (calls() < nth) break;
    }
    expect(failed).toBeGreaterThan(10);
  },
);

test("append() acknowledges nothing any more once a sync failed", async () => {
  const at = place();
  // Before the file's own sync come those of the lease, its folder and the new names.
  const counting = failingFileOps(Infinity, { call: "sync" });
  await openTranscriptWriter(optionsOf(place(), { files: counting.files })).close();
  const { files } = failingFileOps(counting.calls() + 1, { call: "sync", error: "EIO" });
  const writer = openTranscriptWriter(optionsOf(at, { durability: "sync", files }));
  await expect(writer.append({ type: "one" })).rejects.toMatchObject({ code: "sync_failed" });
  await expect(writer.append({ type: "two" })).rejects.toMatchObject({ code: "sync_failed" });
  await expect(writer.close()).rejects.toMatchObject({ code: "sync_failed" });
  expect([linesOf(at), fs.readdirSync(at.leaseDir)]).toEqual([['{"type":"one"}', ""], []]);
});

test("append() shares one sync among all that wait for the one before", async () => {
  const counting = failingFileOps(Infinity, { call: "sync" });
  const writer = openTranscriptWriter(optionsOf(place(), { durability: "sync", files: counting.files }));
  const before = counting.calls();
  const first = writer.append({ type: "first" });
  await Promise.resolve();
  await Promise.resolve();
  await Promise.all([first, ...Array.from({ length: 100 }, (_, n) => writer.append({ type: "more", n }))]);
  expect(counting.calls() - before).toBe(2);
  await writer.close();
});

test("openTranscriptWriter() makes the file's name durable, also when it failed to do so the last time", async () => {
  const at = place();
  const fault: FileFault = { call: "sync", error: "EIO" };
  const counting = failingFileOps(Infinity, fault);
  await openTranscriptWriter(optionsOf(place(), { files: counting.files })).close();
  const failing = failingFileOps(counting.calls(), fault);
  expect(() => openTranscriptWriter(optionsOf(at, { files: failing.files }))).toThrow("EIO");
  expect([fs.existsSync(at.file), fs.readdirSync(at.leaseDir)]).toEqual([true, []]);
  const again = failingFileOps(Infinity, fault);
  await openTranscriptWriter(optionsOf(at, { files: again.files })).close();
  // The folder's: the lease needs none.
  expect(again.calls()).toBe(1);
});

test("openTranscriptWriter() makes no new file and keeps no lease when the transcript must exist and does not", () => {
  const at = place();
  expect(() => openTranscriptWriter({ ...optionsOf(at), mustExist: true })).toThrow(
    expect.objectContaining({ code: "session_not_found" }) as Error,
  );
  expect(fs.existsSync(at.file)).toBe(false);
  expect(fs.readdirSync(at.leaseDir)).toEqual([]);
});
