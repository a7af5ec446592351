import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { publicEntries } from "../../scripts/public-entries.ts";
import { tempDir } from "../support/index.ts";
import { guides } from "./documents.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const compiler = path.join(root, "node_modules/typescript/bin/tsc");

// What the blocks speak of without saying where it comes from.
const surroundings = `
declare const runtime: import("holdfast").Runtime;
declare const session: import("holdfast").SessionRef;
declare const cwd: string, prompt: string, sessionId: string, apiKey: string, baseUrl: string;
declare const context: string[];
declare const page: { write(text: string): void };
declare let cursor: string | undefined;
declare module "@anthropic-ai/claude-agent-sdk" {
  function query(request: { prompt: string; options: object }): AsyncIterable<any>;
}
`;

test("every TypeScript block of README and the guides is of the types that are exported", () => {
  const dir = tempDir();
  const blocks = guides().flatMap(({ name, typescript }) =>
    typescript.map((text, index) => ({ file: `${name.replaceAll("/", "-")}-${index}.ts`, text })),
  );
  expect(blocks.length).toBeGreaterThan(10);
  for (const { file, text } of blocks) fs.writeFileSync(path.join(dir, file), `${text}\nexport {};\n`);
  fs.writeFileSync(path.join(dir, "package.json"), '{"type":"module"}');
  fs.writeFileSync(path.join(dir, "surroundings.d.ts"), surroundings);
  const settings = {
    extends: path.join(root, "tsconfig.json"),
    compilerOptions: {
      noUnusedLocals: false,
      typeRoots: [path.join(root, "node_modules/@types")],
      paths: Object.fromEntries(entryPaths()),
    },
    include: ["."],
  };
  fs.writeFileSync(path.join(dir, "tsconfig.json"), JSON.stringify(settings));
  const { stdout, status } = spawnSync(process.execPath, [compiler, "-p", dir], { encoding: "utf8" });
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
});

function entryPaths(): [string, string[]][] {
  return Object.entries(publicEntries).map(([name, file]) => [
    name === "index" ? "holdfast" : `holdfast/${name}`,
    [path.join(root, file)],
  ]);
}
