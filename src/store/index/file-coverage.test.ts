import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { compareCoverage, coverageOf, type CoverageState } from "./file-coverage.ts";

const line = (text: string): string => `{"type":"user","text":"${text}"}\n`;
const long = Array.from({ length: 1000 }, (_, index) => line(`${index}`)).join("");

interface Change {
  before: string;
  /** Bytes that the cache describes; by default all. */
  to?: number;
  change: (file: string) => void;
}

function stateAfter({ before, to, change }: Change): CoverageState {
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(file, before);
  fs.utimesSync(file, 1000, 1000);
  const covered = withFd(file, (fd) => coverageOf(fd, { to: to ?? before.length, stat: fs.fstatSync(fd) }));
  change(file);
  return withFd(file, (fd) => compareCoverage(fd, covered));
}

function withFd<T>(file: string, use: (fd: number) => T): T {
  const fd = fs.openSync(file, "r");
  try {
    return use(fd);
  } finally {
    fs.closeSync(fd);
  }
}

const append = (text: string) => (file: string) => fs.appendFileSync(file, text);
const rewrite = (text: string) => (file: string) => fs.writeFileSync(file, text);
const replace = (text: string) => (file: string) => {
  fs.writeFileSync(`${file}.new`, text);
  fs.utimesSync(`${file}.new`, 1000, 1000);
  fs.renameSync(`${file}.new`, file);
};

test.each<[CoverageState, string, Change]>([
  ["current", "nothing happened", { before: long, change: () => {} }],
  ["current", "an empty file stayed empty", { before: "", change: () => {} }],
  ["grown", "lines were added", { before: long, change: append(line("new")) }],
  ["grown", "an empty file got its first line", { before: "", change: append(line("new")) }],
  [
    "grown",
    "a torn line was finished",
    { before: `${long}{"type`, to: long.length, change: append('":"user"}\n') },
  ],
  ["grown", "a whole last line got its newline", { before: line("a").trim(), change: append("\n") }],
  [
    "grown",
    "a whole last line got its newline and more",
    { before: line("a").trim(), change: append(`\n${line("b")}`) },
  ],
  ["changed", "another line was glued to the last", { before: line("a").trim(), change: append(line("b")) }],
  ["changed", "it was touched", { before: long, change: (file) => fs.utimesSync(file, 1000, 1001) }],
  ["changed", "it shrank", { before: long, change: (file) => fs.truncateSync(file, 100) }],
  ["changed", "it was emptied", { before: long, change: rewrite("") }],
  [
    "changed",
    "its head changed and it grew",
    { before: long, change: rewrite(long.replace("0", "x") + line("new")) },
  ],
  [
    "changed",
    "its tail changed and it grew",
    { before: long, change: rewrite(long.replace("999", "xxx") + line("new")) },
  ],
  [
    "changed",
    "a line was taken out and others added",
    { before: long, change: rewrite(long.replace(line("500"), "") + long) },
  ],
  [
    "changed",
    "another file of the same bytes and time took its place",
    { before: long, change: replace(long) },
  ],
  [
    "changed",
    "a longer file with the same beginning took its place",
    { before: long, change: replace(long + long) },
  ],
])("compareCoverage() says %s when %s", (state, _what, change) => {
  expect(stateAfter(change)).toBe(state);
});

test("compareCoverage() says grown of a file that was written to while it was being covered", () => {
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(file, long);
  const state = withFd(file, (fd) => {
    const stat = fs.fstatSync(fd);
    fs.appendFileSync(file, line("meanwhile"));
    return compareCoverage(fd, coverageOf(fd, { to: stat.size, stat }));
  });
  expect(state).toBe("grown");
});
