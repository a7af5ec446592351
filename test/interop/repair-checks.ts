import fs from "node:fs";
import path from "node:path";
import { repairTranscript } from "../../src/health/repair/repair-transcript.ts";
import { openBackup } from "../../src/health/repair/open-backup.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { TranscriptBuilder } from "../support/transcript-builder.ts";
import { wrongWith, type Check, type CheckHome } from "./checks.ts";

/** How a transcript is damaged: its lines before and after. */
type Damage = (lines: string[]) => string[];

// Lines: 0 first question, 1 answer, 2 second question, 3 and 4 tool uses, 5 and 6 results, 7 answer, 8 third question,
// 9 answer.
const damages: Record<string, Damage> = {
  "a torn last line": (lines) => lines.with(9, lines[9]!.slice(0, 100)),
  "a torn line in the middle": (lines) => lines.with(7, lines[7]!.slice(0, -30)),
  "a torn line that was written on": (lines) =>
    lines.with(7, lines[7]!.slice(0, 90) + lines[8]).toSpliced(8, 1),
  "glued lines": (lines) => lines.with(2, lines[2]! + lines[3]).toSpliced(3, 1),
  "zero bytes": (lines) => lines.with(1, `${"\0".repeat(400)}${lines[1]}`),
  "foreign lines": (lines) => lines.toSpliced(3, 0, "<<<<<<< HEAD", "[1]"),
  "an entry that is gone": (lines) => lines.toSpliced(7, 1),
  "a circle of parents": (lines) => lines.with(2, withParent(lines[2]!, uuidOf(lines[7]!))),
  "an entry that is its own parent": (lines) => lines.with(7, withParent(lines[7]!, uuidOf(lines[7]!))),
  "tool uses without results, at the end": (lines) => lines.slice(0, 5),
  "one of two tool uses without a result": (lines) => lines.toSpliced(6, 1),
  "everything at once": (lines) => [
    `${"\0".repeat(10)}${lines[0]}`,
    lines[1]!.slice(0, 50) + lines[2],
    lines[3]! + lines[4],
    "nonsense",
    lines[5]!,
    withParent(lines[7]!, uuidOf(lines[9]!)),
    lines[9]!,
    '{"torn',
  ],
};

const archiveCheck: Check = {
  name: "repair: a session restored from the archive is resumed",
  async run(home) {
    const session = talk(home.cwd);
    session.write(home.configDir);
    const archive = await home.store.openArchive();
    await archive.add([await home.store.find(session.sessionId)]);
    const restored = archive.restore(session.sessionId);
    archive.close();
    return wrongWith(home, restored);
  },
};

const damageChecks: Check[] = Object.entries(damages).map(([what, damage]) => ({
  name: `repair: a session with ${what} is resumed as Holdfast reads it`,
  async run(home) {
    const session = talk(home.cwd);
    const { path: file } = session.write(home.configDir);
    fs.writeFileSync(file, damage(session.jsonl().trimEnd().split("\n")).join("\n"));
    await repair(home, file);
    return wrongWith(home, await home.store.find(session.sessionId));
  },
}));

export const repairChecks: Check[] = [...damageChecks, archiveCheck];

async function repair({ configDir, store: { home } }: CheckHome, file: string): Promise<void> {
  const backup = openBackup({ home, clock: systemClock });
  await repairTranscript(
    { configDir, home },
    { path: file, sessionId: path.basename(file, ".jsonl") },
    backup,
  );
}

function talk(cwd: string): TranscriptBuilder {
  const session = new TranscriptBuilder({ cwd });
  session.prompt("first question");
  session.reply("first answer");
  session.prompt("second question");
  session.callTools(
    { name: "Bash", input: { command: "ls" }, result: "a b c" },
    { name: "Read", input: { file_path: "a" }, result: "text of a" },
  );
  session.reply("second answer");
  session.prompt("third question");
  session.reply("third answer");
  return session;
}

function uuidOf(line: string): string {
  return (JSON.parse(line) as { uuid: string }).uuid;
}

function withParent(line: string, parentUuid: string): string {
  return JSON.stringify({ ...(JSON.parse(line) as object), parentUuid });
}
