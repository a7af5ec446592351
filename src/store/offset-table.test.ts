import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { seededRandom, startProgram, tempDir } from "../../test/support/index.ts";
import { offsetTableFileBytesMin } from "../format/limits.ts";
import { LineTable } from "./line-table.ts";
import { loadLineTable } from "./offset-table.ts";
import { scanIntoTable } from "./scan-table.ts";

let dir: string;
let file: string;
let indexDir: string;

beforeEach(() => {
  dir = tempDir();
  file = path.join(dir, "session.jsonl");
  indexDir = path.join(dir, "home", "index");
  fs.writeFileSync(file, large);
});

let made = 0;
// A line with a uuid, a message id and tools, of about a kilobyte, told apart from every other.
function lineOf(padding = 900): string {
  const id = made++;
  const content = [
    { type: "tool_use", id: `t${id}`, name: "x".repeat(padding) },
    { type: "tool_result", tool_use_id: `t${id - 1}` },
  ];
  return `${JSON.stringify({ type: "assistant", uuid: `u${id}`, parentUuid: `u${id - 1}`, message: { id: `m${id}`, content } })}\n`;
}
const large = Array.from({ length: Math.ceil(offsetTableFileBytesMin / 900) }, () => lineOf()).join("");

/** Everything that a table says. */
function factsOf(table: LineTable): object {
  const { count, toolCount, from, to } = table;
  const line = (name: "offset" | "length" | "kind" | "flags" | "uuid" | "parent" | "message"): number[] =>
    Array.from(table[name].subarray(0, count));
  const tool = (name: "toolLine" | "toolId" | "toolIsResult"): number[] =>
    Array.from(table[name].subarray(0, toolCount));
  const lines = [line("offset"), line("length"), line("kind"), line("flags"), line("uuid"), line("parent")];
  const tools = [tool("toolLine"), tool("toolId"), tool("toolIsResult")];
  return { count, toolCount, from, to, lines, messages: line("message"), tools };
}

async function load(): Promise<object> {
  const fd = fs.openSync(file, "r");
  try {
    return factsOf(await loadLineTable(file, fd, { indexDir }));
  } finally {
    fs.closeSync(fd);
  }
}

function scan(): object {
  const fd = fs.openSync(file, "r");
  try {
    const table = new LineTable();
    scanIntoTable(table, fd, { from: 0, to: fs.fstatSync(fd).size });
    return factsOf(table);
  } finally {
    fs.closeSync(fd);
  }
}

function cacheFile(): string {
  const names = fs.readdirSync(path.join(indexDir, "offsets"));
  expect(names.length).toBe(1);
  return path.join(indexDir, "offsets", names[0]!);
}

const stampOf = (name: string): string => `${fs.statSync(name).ino} ${fs.statSync(name).mtimeMs}`;

test("loadLineTable() keeps the table of a large file, privately, and does not write it again", async () => {
  expect(await load()).toEqual(scan());
  const kept = stampOf(cacheFile());
  expect(await load()).toEqual(scan());
  expect({
    kept: stampOf(cacheFile()),
    mode: fs.statSync(cacheFile()).mode & 0o777,
    dirMode: fs.statSync(indexDir).mode & 0o777,
  }).toEqual({
    kept,
    mode: 0o600,
    dirMode: 0o700,
  });
});

test("loadLineTable() keeps no table of a small file", async () => {
  fs.writeFileSync(file, lineOf());
  expect([await load(), fs.existsSync(indexDir)]).toEqual([scan(), false]);
});

test.each<[string, () => void]>([
  ["grew by lines", () => fs.appendFileSync(file, lineOf() + lineOf())],
  ["grew by half a line", () => fs.appendFileSync(file, lineOf().slice(0, 100))],
  ["grew by a line without a newline", () => fs.appendFileSync(file, lineOf().trim())],
  ["shrank to a line", () => fs.truncateSync(file, large.lastIndexOf("\n", large.length - 2) + 1)],
  ["shrank into a line", () => fs.truncateSync(file, large.length - 200)],
  ["shrank to nothing", () => fs.truncateSync(file, 0)],
  [
    "changed its head and grew",
    () => fs.writeFileSync(file, lineOf(900) + large.slice(large.indexOf("\n") + 1) + lineOf()),
  ],
  [
    "changed in its middle and kept its size",
    () => fs.writeFileSync(file, large.replace('"u500"', '"v500"')),
  ],
  [
    "lost a line in its middle and grew",
    () => fs.writeFileSync(file, large.replace(/.*"u500".*\n/, "") + lineOf() + lineOf()),
  ],
  [
    "was replaced by another",
    () => {
      fs.writeFileSync(`${file}.new`, large.replaceAll('"u5', '"w5') + lineOf());
      fs.renameSync(`${file}.new`, file);
    },
  ],
])("loadLineTable() gives what a scan gives after the file %s", async (_what, change) => {
  await load();
  change();
  expect(await load()).toEqual(scan());
  expect(await load()).toEqual(scan());
});

test("loadLineTable() gives what a scan gives of a file that is written in pieces that end anywhere", async () => {
  const random = seededRandom(7);
  const more = Buffer.from(
    Array.from({ length: 12 }, () => lineOf(random.between(0, 60)))
      .join("")
      .replace("}\n", "}"),
  );
  for (let at = 0; at < more.length;) {
    const to = at + random.between(1, 180);
    fs.appendFileSync(file, more.subarray(at, to));
    at = to;
    expect(await load(), `seed ${random.seed}, byte ${at}`).toEqual(scan());
  }
});

test("loadLineTable() sees what was written while it scanned at the next call", async () => {
  const fd = fs.openSync(file, "r");
  const loading = loadLineTable(file, fd, { indexDir });
  fs.appendFileSync(file, lineOf());
  await loading;
  fs.closeSync(fd);
  expect(await load()).toEqual(scan());
});

test.each<[string, (bytes: Buffer) => Buffer | string]>([
  ["empty", () => ""],
  ["cut", (bytes) => bytes.subarray(0, bytes.length - 100)],
  ["longer", (bytes) => Buffer.concat([bytes, Buffer.from("x")])],
  ["without a body", (bytes) => bytes.subarray(0, bytes.indexOf("}}\n") + 3)],
  ["something else", () => "hello\n"],
  ["of zeros", (bytes) => Buffer.alloc(bytes.length)],
  [
    "about fewer lines",
    (bytes) => Buffer.from(bytes.toString("latin1").replace(/"count":\d+/, '"count":7'), "latin1"),
  ],
  [
    "about more of the file",
    (bytes) => Buffer.from(bytes.toString("latin1").replace(/"to":\d+/, '"to":7'), "latin1"),
  ],
  [
    "of another version",
    (bytes) =>
      Buffer.from(bytes.toString("latin1").replace(/holdfast-offsets-\d/, "holdfast-offsets-0"), "latin1"),
  ],
])("loadLineTable() scans when the kept table is %s, and keeps a new one", async (_what, damage) => {
  await load();
  const kept = fs.readFileSync(cacheFile());
  fs.writeFileSync(cacheFile(), damage(kept));
  expect(await load()).toEqual(scan());
  expect(fs.readFileSync(cacheFile()).equals(kept)).toBe(true);
});

test("loadLineTable() is misled by no flipped bit of the kept table", async () => {
  await load();
  const kept = fs.readFileSync(cacheFile());
  const header = kept.indexOf("}}\n") + 3;
  const expected = scan();
  const random = seededRandom(11);
  const places = Array.from({ length: 80 }, (_, index) =>
    index < 60 ? random.between(0, header - 1) : random.between(header, kept.length - 1),
  );
  for (const at of places) {
    const damaged = Buffer.from(kept);
    damaged[at] = damaged[at]! ^ (1 << random.between(0, 7));
    fs.writeFileSync(cacheFile(), damaged);
    expect(await load(), `byte ${at}`).toEqual(expected);
  }
});

test.each<[string, () => void]>([
  ["is a file", () => fs.writeFileSync(path.join(dir, "home"), "")],
  ["is a link into the void", () => fs.symlinkSync(path.join(dir, "nowhere", "x"), path.join(dir, "home"))],
  [
    "may not be written to",
    () => fs.mkdirSync(path.join(indexDir, "offsets"), { recursive: true, mode: 0o500 }),
  ],
])("loadLineTable() answers all the same when the cache folder %s", async (_what, block) => {
  block();
  expect([await load(), await load()]).toEqual([scan(), scan()]);
});

test("loadLineTable() writes nothing through a link in the place of its folder", async () => {
  const elsewhere = path.join(dir, "elsewhere");
  fs.mkdirSync(elsewhere);
  fs.mkdirSync(indexDir, { recursive: true });
  fs.symlinkSync(elsewhere, path.join(indexDir, "offsets"));
  expect(await load()).toEqual(scan());
  expect(fs.readdirSync(elsewhere)).toEqual([]);
});

test("loadLineTable() stops when its signal says so, and keeps no half table", async () => {
  const stop = new AbortController();
  const fd = fs.openSync(file, "r");
  const loading = loadLineTable(file, fd, { indexDir, signal: stop.signal });
  stop.abort();
  await expect(loading).rejects.toThrow("aborted");
  fs.closeSync(fd);
  expect(fs.existsSync(indexDir)).toBe(false);
});

test("loadLineTable() may run in several processes at once", async () => {
  const programs = Array.from({ length: 3 }, () => startProgram("load-table", [file, indexDir, "20"]));
  while (programs.some(({ child }) => child.exitCode === null && child.signalCode === null)) {
    fs.appendFileSync(file, lineOf());
    await load();
  }
  const endings = await Promise.all(programs.map((program) => program.ended()));
  expect(endings.map(({ code }, index) => [code, programs[index]!.errors])).toEqual(
    programs.map(() => [0, []]),
  );
  expect(await load()).toEqual(scan());
  expect(fs.readdirSync(path.join(indexDir, "offsets")).length).toBe(1);
});
