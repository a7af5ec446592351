import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { ensureRoleKeys, readSeed } from "./role-keys.ts";

test("ensureRoleKeys() keeps the keys that are there", () => {
  const dir = tempDir();
  const first = ensureRoleKeys(dir);
  expect(ensureRoleKeys(dir)).toEqual(first);
  expect(fs.statSync(first.worker.file).mode & 0o077).toBe(0);
});

test("readSeed() names the file when there is no key, or what is there is none", () => {
  const file = path.join(tempDir(), "worker.nk");
  const missing = { code: "fleet_forbidden", message: `Cannot use the key "${file}": it is not there` };
  expect(() => readSeed(file)).toThrow(expect.objectContaining(missing) as Error);
  const { worker } = ensureRoleKeys(tempDir());
  for (const text of ["", "nonsense", fs.readFileSync(worker.file, "utf8").slice(1)]) {
    fs.writeFileSync(file, text);
    const broken = { message: `Cannot use the key "${file}": it cannot be read, or is no nkey` };
    expect(() => readSeed(file)).toThrow(expect.objectContaining(broken) as Error);
  }
});
