import fs from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url);
const security = fs.readFileSync(new URL("SECURITY.md", root), "utf8");

test("every promise of SECURITY.md names a test, and every test that it names is there", () => {
  const tables = security.split(/\n\n/).filter((part) => part.startsWith("|"));
  const promises = tables.flatMap((table) => table.split("\n").slice(2));
  expect(promises.length).toBeGreaterThan(20);
  expect(promises.filter((row) => !/`(?:src|test)\/[^`]+\.ts`/.test(row.split("|").at(-2)!))).toEqual([]);
  const named = [...security.matchAll(/`((?:src|test)\/[^`]+\.ts)`/g)].map(([, file]) => file!);
  expect(named.filter((file) => !fs.existsSync(new URL(file, root)))).toEqual([]);
  const scripts = [...security.matchAll(/`npm run ([^`]+)`/g)].map(([, name]) => name!);
  const known = JSON.parse(fs.readFileSync(new URL("package.json", root), "utf8")) as { scripts: object };
  expect(scripts.filter((name) => !(name in known.scripts))).toEqual([]);
});
