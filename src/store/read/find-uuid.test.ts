import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { findUuid } from "./find-uuid.ts";

const a = "1b3e0000-1111-4222-8333-444455556666";
const b = "1b3f0000-1111-4222-8333-444455556666";

function transcript(...lines: string[]): string {
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  return file;
}

const line = (uuid: string, more: object = {}): string => JSON.stringify({ type: "user", uuid, ...more });
const refusal = (file: string, typed: string): Promise<unknown> =>
  findUuid(file, typed).then(
    () => undefined,
    ({ code, fields }: { code: string; fields: object }) => ({ code, ...fields }),
  );

test("findUuid() finds the only entry that begins so, also where several lines carry it", async () => {
  const file = transcript(line(a), line(b), line(b));
  expect(await Promise.all(["1b3e", "1b3f0000", a].map((typed) => findUuid(file, typed)))).toEqual([a, b, a]);
});

test("findUuid() takes neither a parent nor what is said for an id, and reads around damage", async () => {
  const file = transcript(
    line(a, { parentUuid: "77770000-1111-4222-8333-444455556666", message: { content: '"88880000' } }),
    '{"type":"user","uuid":"9999',
    "\0\0\0",
  );
  for (const typed of ["7777", "8888", "9999", "", "zz"])
    expect(await refusal(file, typed)).toMatchObject({ code: "entry_not_found" });
});

test("findUuid() names those that begin alike, and takes an id that is the beginning of another", async () => {
  const file = transcript(line(a), line(b), line("x"), line("xy"));
  expect(await refusal(file, "1b3")).toEqual({ code: "entry_ambiguous", candidates: [a, b] });
  expect(await findUuid(file, "x")).toBe("x");
});
