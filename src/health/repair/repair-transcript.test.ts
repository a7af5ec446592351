import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { testHome, threeQuestions, type TestHome } from "../../../test/support/index.ts";
import { crashAt } from "../../../test/support/crash-at.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { systemClock } from "../../lib/clock.ts";
import type { FileOps } from "../../lib/file-ops.ts";
import { readConversation } from "../../store/index.ts";
import { findDefects } from "../transcripts/find-defects.ts";
import { openBackup } from "./open-backup.ts";
import { repairTranscript, type RepairedTranscript } from "./repair-transcript.ts";

function write(home: TestHome, lines: readonly string[], { end = "\n" } = {}): string {
  const { path: file } = threeQuestions({ cwd: home.cwd }).write(home.configDir);
  fs.writeFileSync(file, lines.join("\n") + end);
  return file;
}

function repair(home: TestHome, file: string, files?: FileOps): Promise<RepairedTranscript> {
  const backup = openBackup({ home: home.home, clock: systemClock, files });
  return repairTranscript(
    { ...home, files },
    { path: file, sessionId: path.basename(file, ".jsonl") },
    backup,
  );
}

async function spoken(file: string): Promise<string[]> {
  const { entries } = await readConversation(file);
  return entries.flatMap((entry) => {
    const { message } = entry as { message?: { content: unknown } };
    if (typeof message?.content === "string") return [message.content];
    return ((message?.content ?? []) as { text?: string; name?: string; content?: string }[]).map(
      ({ text, name, content }) => text ?? name ?? content ?? "",
    );
  });
}

const all = [
  "first question",
  "first answer",
  "second question",
  "Bash",
  "a b c",
  "second answer",
  "third question",
  "third answer",
];

interface Case {
  kinds: string[];
  damage: (lines: string[]) => string[];
  end?: string;
  /** What is said afterwards, where something is gone for good. */
  left?: string[];
}

// Lines: 0 first question, 1 answer, 2 second question, 3 tool use, 4 result, 5 answer, 6 third question, 7 answer.
const cases: Record<string, Case> = {
  "a torn last line": {
    kinds: ["torn-line"],
    damage: (lines) => [...lines, '{"parentUuid":null,"type":"user","message":{"role":"user","content":"to'],
    end: "",
  },
  "a torn entry that others hang on": {
    kinds: ["torn-line"],
    damage: (lines) => lines.with(1, lines[1]!.slice(0, -40)),
    left: all.toSpliced(1, 1),
  },
  "a torn entry with the next one written behind it": {
    kinds: ["glued-lines"],
    damage: (lines) => [...lines.slice(0, 5), lines[5]!.slice(0, 90) + lines[6]!, lines[7]!],
    left: all.toSpliced(5, 1),
  },
  "two entries on one line": {
    kinds: ["glued-lines"],
    damage: (lines) => [...lines.slice(0, 2), lines[2]! + lines[3]!, ...lines.slice(4)],
  },
  "zero bytes before and inside a line": {
    kinds: ["nul-bytes", "nul-bytes"],
    damage: (lines) => [
      lines[0]!,
      `${"\0".repeat(300)}${lines[1]}`,
      lines[2]!.replace("second question", "second\0\0 question"),
      ...lines.slice(3),
    ],
  },
  "lines that are no JSON": {
    kinds: ["foreign-line", "foreign-line"],
    damage: (lines) => [...lines.slice(0, 3), "<<<<<<< HEAD", "[1,2]", ...lines.slice(3)],
  },
  "an entry that is gone": {
    kinds: ["missing-parent"],
    damage: (lines) => lines.toSpliced(5, 1),
    left: all.toSpliced(5, 1),
  },
  "a circle of parents": {
    kinds: ["parent-cycle"],
    damage: (lines) => lines.with(2, withParent(lines[2]!, uuidOf(lines[5]!))),
  },
  "an entry that is its own parent": {
    kinds: ["parent-cycle"],
    damage: (lines) => lines.with(5, withParent(lines[5]!, uuidOf(lines[5]!))),
  },
  "a tool use without a result, at the end": {
    kinds: ["unanswered-tool"],
    damage: (lines) => lines.slice(0, 4),
    end: "",
    left: [...all.slice(0, 4), expect.stringContaining("is missing") as string],
  },
  "a tool use without a result, in the middle": {
    kinds: ["unanswered-tool"],
    damage: (lines) => [...lines.slice(0, 4), withParent(lines[5]!, uuidOf(lines[3]!)), ...lines.slice(6)],
    left: all.with(4, expect.stringContaining("is missing") as string),
  },
};

function uuidOf(line: string): string {
  return (JSON.parse(line) as { uuid: string }).uuid;
}

function withParent(line: string, parentUuid: string): string {
  return JSON.stringify({ ...(JSON.parse(line) as object), parentUuid });
}

describe("repairTranscript()", () => {
  test.each(Object.entries(cases))("mends %s, keeps every whole line and the old file", async (_, each) => {
    const home = testHome();
    const lines = threeQuestions({ cwd: home.cwd }).jsonl().trimEnd().split("\n");
    const file = write(home, each.damage(lines), each);
    const before = fs.readFileSync(file);
    const { mtimeMs } = fs.statSync(file);
    const found = await findDefects(file);
    expect(found.map(({ kind }) => kind)).toEqual(each.kinds);

    const { backup } = await repair(home, file);
    expect(await findDefects(file)).toEqual([]);
    expect(await spoken(file)).toEqual(each.left ?? all);
    expect(fs.readFileSync(backup)).toEqual(before);
    expect(Math.abs(fs.statSync(file).mtimeMs - mtimeMs)).toBeLessThan(2);
    const whole = each.damage(lines).filter((line) => isEntry(line) && !each.kinds.includes("parent-cycle"));
    const now = fs.readFileSync(file, "utf8").split("\n");
    expect(now.filter((line) => whole.includes(line))).toEqual(whole);
    expect(fs.readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
  });

  test("leaves a whole transcript alone", async () => {
    const home = testHome();
    const { path: file } = threeQuestions({ cwd: home.cwd }).write(home.configDir);
    expect(await repair(home, file)).toEqual({ path: file, mended: [], backup: "" });
    expect(fs.existsSync(holdfastPaths(home.home).repairsDir)).toBe(false);
  });

  test("touches nothing while the session's owner lives", async () => {
    const home = testHome();
    const file = write(home, [
      "nonsense",
      ...threeQuestions({ cwd: home.cwd }).jsonl().trimEnd().split("\n"),
    ]);
    const before = fs.readFileSync(file);
    fs.mkdirSync(path.join(home.configDir, "sessions"));
    fs.writeFileSync(
      path.join(home.configDir, "sessions", `${process.pid}.json`),
      JSON.stringify({ sessionId: path.basename(file, ".jsonl") }),
    );
    await expect(repair(home, file)).rejects.toMatchObject({ code: "session_in_use" });
    expect(fs.readFileSync(file)).toEqual(before);
  });

  test("leaves the old transcript or the mended one, whatever file call it dies at", async () => {
    let calls = Infinity;
    for (let n = 1; n <= calls; n++) {
      const home = testHome();
      const lines = threeQuestions({ cwd: home.cwd }).jsonl().trimEnd().split("\n");
      const file = write(home, [...lines.slice(0, 5), ...lines.slice(6), '{"torn'], { end: "" });
      const before = fs.readFileSync(file);
      const died = await repair(home, file, crashAt(n).files).then(
        () => false,
        () => true,
      );
      fs.rmSync(holdfastPaths(home.home).leasesDir, { recursive: true, force: true });
      const isOld = fs.readFileSync(file).equals(before);
      expect(isOld || (await findDefects(file)).length === 0, `call ${n}`).toBe(true);
      await repair(home, file);
      expect(await spoken(file), `call ${n}`).toEqual(all.toSpliced(5, 1));
      if (!died) calls = n;
    }
    expect(calls).toBeGreaterThan(20);
  });
});

function isEntry(line: string): boolean {
  try {
    return typeof (JSON.parse(line) as { type?: unknown }).type === "string";
  } catch {
    return false;
  }
}
