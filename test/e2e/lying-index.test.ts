import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { sampleSession, TranscriptBuilder } from "../support/index.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

// Everything that is asked of the index, and what must not differ by a character whatever the index says.
const QUESTIONS: string[][] = [
  ["sessions", "--all"],
  ["sessions", "--all", "-n", "2"],
  ["usage", "--by", "day"],
  ["usage", "--by", "session"],
  ["usage", "--by", "model"],
  ["search", "files"],
  ["search", "needle"],
  ["doctor"],
  ["ps", "-a"],
  ["ps", "-a", "-n", "2"],
  ["inspect", "@last"],
  ["inspect", "the-name"],
  ["notices"],
];

/** A home with sessions, one of them damaged, and ended tasks, of which one was told. */
async function busyHome(): Promise<TaskHome> {
  const home = taskHome();
  const { path: damaged } = sampleSession({ cwd: home.cwd }).write(home.configDir);
  fs.appendFileSync(damaged, "no entry\n");
  for (const text of ["one more file", "and another"]) {
    const session = new TranscriptBuilder({ cwd: home.cwd });
    session.prompt(`${text} of ${home.cwd}`);
    session.write(home.configDir);
  }
  await home.start("--name", "the-name", "--wait", "--", "echo needle");
  await home.holdfast("notices", "--consume");
  await home.start("--wait", "--", "exit 3");
  await home.start("--wait", "--", "echo last");
  return home;
}

async function answers(home: TaskHome): Promise<{ said: string[]; stderr: string }> {
  const said: string[] = [];
  let talk = "";
  for (const question of QUESTIONS) {
    const { stdout, stderr, code } = await home.holdfast(...question, "--json");
    said.push(`${question.join(" ")}: ${code} ${comparable(question, stdout)}`);
    talk += stderr;
  }
  return { said, stderr: talk };
}

// A score depends on what else is in the index. What the doctor says of the machine differs by itself.
function comparable([command]: string[], json: string): string {
  if (command !== "doctor") return json.replaceAll(/"score":[\d.]+/g, "");
  const { checks } = JSON.parse(json) as { checks: { group: string }[] };
  return JSON.stringify(checks.filter(({ group }) => group !== "environment"));
}

function execute(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

function overwrite(file: string, at: number, bytes: Buffer): void {
  const fd = fs.openSync(file, "r+");
  fs.writeSync(fd, bytes, 0, bytes.length, at);
  fs.closeSync(fd);
}

const NEXT = "(SELECT min(other.id) FROM files other WHERE other.part = files.part AND other.id > files.id)";

const LIES: [string, (file: string) => void, "said" | "quiet"][] = [
  ["wrong sizes", (file) => execute(file, "UPDATE files SET size = size + 1"), "quiet"],
  ["wrong times", (file) => execute(file, "UPDATE files SET mtime = mtime - 1, covered = 1"), "quiet"],
  [
    "rows of other files",
    (file) =>
      execute(
        file,
        `UPDATE files SET path = path || '.moved';
         UPDATE files SET path = replace(coalesce((SELECT path FROM files f WHERE f.id = ${NEXT}), path || '.none'), '.moved', '')`,
      ),
    "quiet",
  ],
  [
    "rows of files that never were",
    (file) => execute(file, "UPDATE files SET path = path || '.gone'"),
    "quiet",
  ],
  [
    "a row of a file that never was for one that is, so that the sums of its folder fit",
    (file) =>
      execute(
        file,
        "UPDATE files SET path = path || '.gone' WHERE id IN (SELECT max(id) FROM files GROUP BY part)",
      ),
    "quiet",
  ],
  ["stamps of other folders", (file) => execute(file, "UPDATE files SET stamp = stamp + 1"), "quiet"],
  ["values that are none", (file) => execute(file, "UPDATE file_data SET data = '{\"broken'"), "quiet"],
  [
    "tasks that never were",
    (file) => execute(file, "UPDATE tasks SET id = 'bzzzz' || substr(id, 6)"),
    "quiet",
  ],
  ["a future version", (file) => execute(file, "PRAGMA user_version = 4711"), "said"],
  ["random bytes", (file) => fs.writeFileSync(file, Buffer.alloc(20_000, "0123456789")), "said"],
  ["pages that are not its own", (file) => overwriteLaterPages(file), "said"],
  ["half of it", (file) => fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2)), "said"],
  ["nothing", (file) => fs.truncateSync(file, 0), "quiet"],
  ["tables that are gone", (file) => execute(file, "DROP TABLE files; DROP TABLE tasks"), "said"],
];

function overwriteLaterPages(file: string): void {
  for (let at = 4096; at < fs.statSync(file).size; at += 4096)
    overwrite(file, at, Buffer.alloc(4096, "lies"));
}

describe("an index that lies", () => {
  test.each(LIES)("changes no answer: %s", async (_, lie, isSaid) => {
    await using home = await busyHome();
    const file = path.join(home.home, "index", "index.db");
    // Asked before there is an index, and when it is there.
    const truth = (await answers(home)).said;
    await home.holdfast("index");
    expect((await answers(home)).said).toEqual(truth);
    lie(file);
    const { said, stderr } = await answers(home);
    expect(said).toEqual(truth);
    expect(stderr.includes("The index ")).toBe(isSaid === "said");
    // What was lied about is put right, or left alone if it is newer.
    expect((await answers(home)).said).toEqual(truth);
  });
});
