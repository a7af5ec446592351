import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");

test("every row of the endings in docs/guide/recovery.md names checks with the real client that are there", async () => {
  const page = fs.readFileSync(path.join(root, "docs/guide/recovery.md"), "utf8");
  const [, table = ""] = /## Every ending,[^]*?\n\n(\|[^]*?)\n\n/.exec(page) ?? [];
  const rows = table.split("\n").slice(2);
  expect(rows.length).toBeGreaterThan(20);
  const namedIn = (row: string): string[] =>
    [
      ...row
        .split("|")
        .at(-2)!
        .matchAll(/`([^`]+)`/g),
    ].map(([, name]) => name!);
  const names = await checkNames();
  const wrong = rows.filter((row) => {
    const named = namedIn(row);
    return named.length === 0 || !named.every((name) => names.some((check) => check.includes(name)));
  });
  expect(wrong).toEqual([]);
});

async function checkNames(): Promise<string[]> {
  const dir = path.join(root, "test/interop");
  const files = fs.readdirSync(dir).filter((name) => /^(?:.*-)?checks\.ts$/.test(name));
  const modules = await Promise.all(
    files
      .filter((name) => name !== "run-checks.ts")
      .map((name) => import(path.join(dir, name)) as Promise<object>),
  );
  const lists = modules.flatMap((module) => Object.values(module) as unknown[]).filter(Array.isArray);
  return (lists.flat() as { name: string }[]).map(({ name }) => name);
}
