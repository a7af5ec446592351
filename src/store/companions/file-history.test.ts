import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { failingFileOps, fakeClock, tempDir, TranscriptBuilder } from "../../../test/support/index.ts";
import { configPaths } from "../../format/paths.ts";
import type { SessionRef } from "../list/find-session.ts";
import { trackedFileBytesMax } from "./limits.ts";
import { diffFiles } from "./diff-files.ts";
import { filesAt, getSnapshot, readFileHistory } from "./file-history.ts";
import { undoFiles } from "./undo-files.ts";

// The three turns that a real client (2.1.325) was seen to record: new.txt is created and edited twice, old.txt
// edited once, and a file outside the project edited once.
function editedSession() {
  const root = tempDir();
  const [configDir, home, cwd] = ["config", "home", "work"].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  fs.mkdirSync(cwd);
  const outside = path.join(root, "outside.txt");
  const transcript = new TranscriptBuilder({ cwd });
  const backupsDir = configPaths(configDir).fileHistoryDir(transcript.sessionId);
  fs.mkdirSync(backupsDir, { recursive: true });
  const keep = (file: string, version: number, text: string | null) => {
    const backupFileName = text === null ? null : `${hash16(path.resolve(cwd, file))}@v${version}`;
    if (backupFileName !== null) fs.writeFileSync(path.join(backupsDir, backupFileName), text!);
    return { backupFileName, version, backupTime: "2026-03-04T05:06:07.000Z" };
  };
  const snapshot = (messageId: string, trackedFileBackups: Record<string, unknown>) =>
    transcript.meta("file-history-snapshot", {
      messageId,
      snapshot: { messageId, trackedFileBackups, timestamp: "2026-03-04T05:06:07.000Z" },
      isSnapshotUpdate: false,
    });
  const delta = (snapshotMessageId: string, trackingPath: string, backup: unknown) => {
    const [edit] = transcript.reply({
      type: "tool_use",
      id: `toolu_${trackingPath}`,
      name: "Edit",
      input: {},
    });
    const messageId = edit!.uuid!;
    transcript.meta("file-history-delta", { messageId, snapshotMessageId, trackingPath, backup });
    return messageId;
  };
  const first = transcript.prompt("first").uuid!;
  snapshot(first, {});
  const edits = [
    delta(first, "new.txt", keep("new.txt", 1, null)),
    delta(first, "old.txt", keep("old.txt", 1, "alpha\n")),
  ];
  const second = transcript.prompt("second").uuid!;
  const oldInSecond = keep("old.txt", 2, "beta\n");
  snapshot(second, { "new.txt": keep("new.txt", 2, "one\n"), "old.txt": oldInSecond });
  delta(second, outside, keep(outside, 1, "x\n"));
  const third = transcript.prompt("third").uuid!;
  snapshot(third, {
    "new.txt": keep("new.txt", 3, "two\n"),
    "old.txt": oldInSecond,
    [outside]: keep(outside, 2, "y\n"),
  });
  fs.writeFileSync(path.join(cwd, "new.txt"), "three\n");
  fs.writeFileSync(path.join(cwd, "old.txt"), "beta\n", { mode: 0o754 });
  fs.writeFileSync(outside, "y\n");
  const write = (): SessionRef => transcript.write(configDir);
  return {
    configDir,
    home,
    cwd,
    outside,
    transcript,
    backupsDir,
    keep,
    snapshot,
    first,
    second,
    third,
    edits,
    write,
  };
}

function hash16(file: string): string {
  return createHash("sha256").update(file).digest("hex").slice(0, 16);
}

function read(...parts: string[]): string | undefined {
  const file = path.join(...parts);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}

describe("readFileHistory()", () => {
  it("lists files of Windows, which can neither be compared nor undone here, and says why", async () => {
    const { configDir, home, transcript, backupsDir, snapshot } = editedSession();
    const cwd = "C:\\work\\app";
    const made = new TranscriptBuilder({ cwd, sessionId: transcript.sessionId });
    const { uuid } = made.prompt("first");
    const name = `${hash16("C:\\work\\app\\src\\a.ts")}@v1`;
    fs.writeFileSync(path.join(backupsDir, name), "before\n");
    const backups = {
      "src\\a.ts": { backupFileName: name, version: 1 },
      "D:\\b.ts": { backupFileName: null, version: 1 },
    };
    const entry = snapshot(uuid!, backups);
    made.meta("file-history-snapshot", entry);
    const session = made.write(configDir);
    const { snapshots, problems } = await readFileHistory({ configDir, session });
    expect({
      files: snapshots[0]?.files.map(({ path: file, isProven }) => [file, isProven]),
      problems,
    }).toEqual({
      files: [
        ["C:\\work\\app\\src\\a.ts", true],
        ["D:\\b.ts", false],
      ],
      problems: [],
    });
    const { changes } = await undoFiles({ configDir, home, session });
    expect(changes.map((change) => "reason" in change && change.reason)).toEqual([
      "other-system",
      "other-system",
    ]);
  });

  it("lists changes of the older, plain form, which kept no copy", async () => {
    const { configDir, home, cwd, transcript, write } = editedSession();
    transcript.meta("file-history", {
      path: "plain.txt",
      operation: "edit",
      snippet: "x",
      uuid: "plain-1",
      timestamp: "2026-03-04T05:06:07.000Z",
    });
    const session = write();
    const { snapshots } = await readFileHistory({ configDir, session });
    expect(snapshots.at(-1)).toMatchObject({
      messageId: "plain-1",
      files: [{ path: path.join(cwd, "plain.txt"), was: { kind: "lost" } }],
    });
    const { changes } = await undoFiles({ configDir, home, session, to: "plain-1" });
    expect(changes).toMatchObject([{ kind: "refused", reason: "backup-lost" }]);
  });

  it("joins snapshots and deltas with the backups on disk", async () => {
    const { configDir, cwd, outside, backupsDir, first, second, third, edits, write } = editedSession();
    const session = write();
    const history = await readFileHistory({ configDir, session });
    expect({ ...history, snapshots: history.snapshots.map(({ messageId }) => messageId) }).toEqual({
      cwd,
      snapshots: [first, second, third],
      problems: [],
    });
    expect(history.snapshots[0]).toEqual({
      messageId: first,
      takenAt: "2026-03-04T05:06:07.000Z",
      editedBy: edits,
      files: [
        {
          trackingPath: "new.txt",
          path: path.join(cwd, "new.txt"),
          isProven: true,
          version: 1,
          backedUpAt: "2026-03-04T05:06:07.000Z",
          was: { kind: "absent" },
        },
        {
          trackingPath: "old.txt",
          path: path.join(cwd, "old.txt"),
          isProven: true,
          version: 1,
          backedUpAt: "2026-03-04T05:06:07.000Z",
          was: {
            kind: "present",
            backup: path.join(backupsDir, `${hash16(path.join(cwd, "old.txt"))}@v1`),
            bytes: 6,
          },
        },
      ],
    });
    expect([...filesAt(history, history.snapshots[0]!).keys()].sort()).toEqual(
      [path.join(cwd, "new.txt"), path.join(cwd, "old.txt"), outside].sort(),
    );
  });

  it("takes the folder whose backup is on disk when the session changed its cwd", async () => {
    const { configDir, cwd, transcript, backupsDir, first, snapshot, write } = editedSession();
    const elsewhere = path.join(path.dirname(cwd), "elsewhere");
    transcript.prompt("moved", { cwd: elsewhere });
    transcript.entries.at(-1)!["cwd"] = elsewhere;
    const backupFileName = `${hash16(path.join(elsewhere, "z.txt"))}@v1`;
    fs.writeFileSync(path.join(backupsDir, backupFileName), "z");
    snapshot(first, { "z.txt": { backupFileName } });
    const { snapshots } = await readFileHistory({ configDir, session: write() });
    expect(snapshots[0]!.files.find(({ trackingPath }) => trackingPath === "z.txt")).toMatchObject({
      path: path.join(elsewhere, "z.txt"),
      isProven: true,
    });
  });

  it("believes neither a hash without a backup nor a name that leads out of the folder", async () => {
    const { configDir, cwd, outside, first, snapshot, transcript, write } = editedSession();
    const secret = path.join(path.dirname(outside), "secret.txt");
    fs.writeFileSync(secret, "s");
    snapshot(first, {
      [secret]: { backupFileName: `${hash16(secret)}@v1` },
      "up.txt": { backupFileName: "../../../secret.txt" },
      "": { backupFileName: null },
      "odd.txt": "no object",
    });
    transcript.meta("file-history-snapshot", { messageId: first, snapshot: { trackedFileBackups: [] } });
    const { snapshots, problems } = await readFileHistory({ configDir, session: write() });
    const found = snapshots[0]!.files.filter(({ trackingPath }) => ["up.txt", secret].includes(trackingPath));
    expect(found.map(({ path: file, isProven, was }) => ({ file, isProven, was: was.kind }))).toEqual([
      { file: secret, isProven: false, was: "lost" },
      { file: path.join(cwd, "up.txt"), isProven: false, was: "lost" },
    ]);
    expect(problems).toEqual([{ path: "", reason: "unsafe-name" }]);
  });

  it("has no cwd to trust when the project folder is not named after any", async () => {
    const { configDir, write } = editedSession();
    const { cwd } = await readFileHistory({ configDir, session: { ...write(), projectKey: "-other" } });
    expect(cwd).toBeUndefined();
  });
});

describe("getSnapshot()", () => {
  it("finds a snapshot by its prompt, by an edit of its turn, and by a prefix that only it has", async () => {
    const { configDir, first, second, edits, write } = editedSession();
    const history = await readFileHistory({ configDir, session: write() });
    const found = [second, edits[1]!, second.slice(0, 13)].map((id) => getSnapshot(history, id).messageId);
    expect(found).toEqual([second, first, second]);
  });

  it("throws companion_not_found when nothing or too much matches", async () => {
    const { configDir, write } = editedSession();
    const history = await readFileHistory({ configDir, session: write() });
    for (const id of ["nothing", ""]) {
      expect(() => getSnapshot(history, id)).toThrow(
        expect.objectContaining({ code: "companion_not_found" }),
      );
    }
  });
});

describe("diffFiles()", () => {
  it("compares a snapshot with the files as they are now", async () => {
    const { configDir, cwd, outside, first, write } = editedSession();
    const diffs = await diffFiles({ configDir, session: write(), from: first });
    expect(diffs.map(({ path: file, kind }) => [file, kind])).toEqual(
      [path.join(cwd, "new.txt"), path.join(cwd, "old.txt"), outside].sort().map((file) => [file, "changed"]),
    );
    const patch = (file: string) => diffs.find((diff) => diff.path === file && diff.kind === "changed");
    expect(patch(path.join(cwd, "old.txt"))).toMatchObject({
      patch: expect.stringContaining("@@ -1,1 +1,1 @@\n-alpha\n+beta\n"),
    });
    expect(patch(path.join(cwd, "new.txt"))).toMatchObject({
      patch: expect.stringMatching(/^--- \/dev\/null/m),
    });
  });

  it("compares two snapshots of one file", async () => {
    const { configDir, cwd, second, third, write } = editedSession();
    const session = write();
    const of = (file: string) => diffFiles({ configDir, session, from: second, to: third, path: file });
    expect(await of("old.txt")).toEqual([{ path: path.join(cwd, "old.txt"), kind: "same" }]);
    expect(await of(path.join(cwd, "new.txt"))).toMatchObject([
      { patch: expect.stringContaining("-one\n+two\n") },
    ]);
    await expect(of("never.txt")).rejects.toMatchObject({ code: "companion_not_found" });
  });

  it("says why where it cannot compare", async () => {
    const { configDir, cwd, backupsDir, first, keep, snapshot, write } = editedSession();
    const lost = keep("lost.txt", 1, "gone\n");
    snapshot(first, {
      "lost.txt": lost,
      "binary.txt": keep("binary.txt", 1, "a\0b"),
      "link.txt": keep("link.txt", 1, "l"),
    });
    fs.rmSync(path.join(backupsDir, lost.backupFileName!));
    fs.symlinkSync("/dev/zero", path.join(cwd, "link.txt"));
    const session = write();
    const kinds = await Promise.all(
      ["lost.txt", "binary.txt", "link.txt"].map((file) =>
        diffFiles({ configDir, session, from: first, path: file }),
      ),
    );
    expect(kinds.flat()).toEqual([
      { path: path.join(cwd, "lost.txt"), kind: "unknown", reason: "backup-lost" },
      { path: path.join(cwd, "binary.txt"), kind: "binary" },
      { path: path.join(cwd, "link.txt"), kind: "unknown", reason: "link" },
    ]);
  });
});

describe("the limits of file history", () => {
  it("gives up on two versions that share nothing, and on files too large to hold", async () => {
    const { configDir, home, cwd, first, keep, snapshot, write } = editedSession();
    const lines = (seed: number) =>
      Array.from({ length: 60_000 }, (_, index) => `${(index * seed) % 99_991}\n`).join("");
    snapshot(first, {
      "wild.txt": keep("wild.txt", 1, lines(7919)),
      "huge.txt": keep("huge.txt", 1, "small"),
    });
    fs.writeFileSync(path.join(cwd, "wild.txt"), lines(104_729));
    fs.writeFileSync(path.join(cwd, "huge.txt"), "");
    fs.truncateSync(path.join(cwd, "huge.txt"), trackedFileBytesMax + 1);
    const session = write();
    const diff = (file: string) => diffFiles({ configDir, session, from: first, path: file });
    expect([...(await diff("wild.txt")), ...(await diff("huge.txt"))]).toEqual([
      { path: path.join(cwd, "wild.txt"), kind: "too-different" },
      { path: path.join(cwd, "huge.txt"), kind: "unknown", reason: "too-large" },
    ]);
    const { changes } = await undoFiles({ configDir, home, session, to: first, dryRun: true });
    expect(changes).toContainEqual({
      path: path.join(cwd, "huge.txt"),
      kind: "refused",
      reason: "too-large",
    });
  });
});

describe("undoFiles()", () => {
  it("puts every file back to the first prompt, and keeps what it overwrote", async () => {
    const { configDir, home, cwd, outside, first, write } = editedSession();
    const session = write();
    const result = await undoFiles({ configDir, home, session, to: first, clock: fakeClock() });
    expect(result).toEqual({
      messageId: first,
      changes: [
        { path: outside, kind: "restore" },
        { path: path.join(cwd, "new.txt"), kind: "remove" },
        { path: path.join(cwd, "old.txt"), kind: "restore" },
      ],
      keptIn: expect.stringMatching(/undo.*2026-01-02T03-04-05-000Z-[0-9a-f]{8}$/),
    });
    expect([read(cwd, "new.txt"), read(cwd, "old.txt"), read(outside)]).toEqual([
      undefined,
      "alpha\n",
      "x\n",
    ]);
    expect(fs.statSync(path.join(cwd, "old.txt")).mode & 0o777).toBe(0o754);
    const manifest = JSON.parse(read(result.keptIn!, "manifest.json")!) as {
      files: { path: string; kept: string }[];
    };
    expect(manifest.files.map((file) => [file.path, read(result.keptIn!, file.kept)])).toEqual([
      [outside, "y\n"],
      [path.join(cwd, "new.txt"), "three\n"],
      [path.join(cwd, "old.txt"), "beta\n"],
    ]);
    expect(fs.statSync(result.keptIn!).mode & 0o777).toBe(0o700);
  });

  it("goes back to the state at a later prompt, and leaves what is the same alone", async () => {
    const { configDir, home, cwd, outside, second, write } = editedSession();
    fs.rmSync(path.join(cwd, "new.txt"));
    const before = fs.statSync(path.join(cwd, "old.txt")).mtimeMs;
    const { changes } = await undoFiles({ configDir, home, session: write(), to: second });
    expect(changes.map(({ kind }) => kind)).toEqual(["restore", "restore", "same"]);
    expect([read(cwd, "new.txt"), read(cwd, "old.txt"), read(outside)]).toEqual(["one\n", "beta\n", "x\n"]);
    expect(fs.statSync(path.join(cwd, "old.txt")).mtimeMs).toBe(before);
  });

  it("only says what it would do on a dry run", async () => {
    const { configDir, home, cwd, first, write } = editedSession();
    const result = await undoFiles({ configDir, home, session: write(), to: first, dryRun: true });
    expect(result.changes.map(({ kind }) => kind)).toEqual(["restore", "remove", "restore"]);
    expect(result.keptIn).toBeUndefined();
    expect([read(cwd, "new.txt"), fs.existsSync(home)]).toEqual(["three\n", false]);
  });

  it("makes a folder again that was removed meanwhile", async () => {
    const { configDir, home, cwd, first, keep, snapshot, write } = editedSession();
    snapshot(first, { "deep/er/a.txt": keep("deep/er/a.txt", 1, "a\n") });
    await undoFiles({ configDir, home, session: write(), to: first });
    expect(read(cwd, "deep/er/a.txt")).toBe("a\n");
  });

  it("refuses links, folders, unproven paths outside the cwd and lost backups, and undoes the rest", async () => {
    const { configDir, home, cwd, outside, backupsDir, first, keep, snapshot, write } = editedSession();
    const root = path.dirname(cwd);
    const victim = path.join(root, "victim.txt");
    fs.writeFileSync(victim, "mine\n");
    fs.symlinkSync(victim, path.join(cwd, "link.txt"));
    fs.symlinkSync(root, path.join(cwd, "linked"));
    fs.mkdirSync(path.join(cwd, "folder.txt"));
    fs.symlinkSync(victim, path.join(backupsDir, "0000000000000000@v1"));
    snapshot(first, {
      "link.txt": keep("link.txt", 1, "evil\n"),
      "linked/victim.txt": keep("linked/victim.txt", 1, "evil\n"),
      "folder.txt": keep("folder.txt", 1, "evil\n"),
      "../victim.txt": { backupFileName: null },
      [victim]: { backupFileName: `${hash16(path.join(cwd, "old.txt"))}@v1` },
      "stolen.txt": { backupFileName: "0000000000000000@v1" },
    });
    const { changes } = await undoFiles({ configDir, home, session: write(), to: first });
    expect(changes).toEqual(
      [
        { path: outside, kind: "restore" },
        { path: victim, kind: "refused", reason: "outside-cwd" },
        { path: path.join(cwd, "folder.txt"), kind: "refused", reason: "not-a-file" },
        { path: path.join(cwd, "link.txt"), kind: "refused", reason: "link" },
        { path: path.join(cwd, "linked/victim.txt"), kind: "refused", reason: "link" },
        { path: path.join(cwd, "new.txt"), kind: "remove" },
        { path: path.join(cwd, "old.txt"), kind: "restore" },
        { path: path.join(cwd, "stolen.txt"), kind: "refused", reason: "backup-lost" },
      ].sort((a, b) => (a.path < b.path ? -1 : 1)),
    );
    expect([read(victim), read(cwd, "old.txt")]).toEqual(["mine\n", "alpha\n"]);
  });

  it("leaves every file as it was or as it should be when any file call fails", async () => {
    for (const call of ["open", "write", "sync", "rename"] as const) {
      for (let n = 1; ; n++) {
        const { configDir, home, cwd, outside, first, write } = editedSession();
        const { files, calls } = failingFileOps(n, { call, error: "EIO" });
        const result = await undoFiles({ configDir, home, session: write(), to: first, files }).catch(
          (error: unknown) => error as { code: string },
        );
        const states = [read(cwd, "new.txt"), read(cwd, "old.txt"), read(outside)];
        const failures = "code" in result ? 0 : result.changes.filter(({ kind }) => kind === "failed").length;
        expect([[undefined, "three\n"].includes(states[0]), states]).toEqual([
          true,
          [states[0], expect.stringMatching(/^(alpha|beta)\n$/), expect.stringMatching(/^[xy]\n$/)],
        ]);
        if (calls() < n) break;
        // A failure while the old files were being kept stops everything before anything is touched.
        const stopped = "code" in result && [result.code, ...states].join() === "EIO,three\n,beta\n,y\n";
        expect({ call, n, isAllowed: stopped || failures === 1 }).toEqual({ call, n, isAllowed: true });
      }
    }
  });
});
