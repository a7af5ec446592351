import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A document: the files that it tells a reader to write, the lines to type, the TypeScript that it shows. */
export interface Guide {
  name: string;
  files: { name: string; text: string }[];
  lines: ShellLine[];
  typescript: string[];
}

export interface ShellLine {
  text: string;
  /** The exit code that the comment behind the line speaks of ("exits with 2"); else 0. */
  code: number;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** README and the guides. */
export function guides(): Guide[] {
  const names = execFileSync("git", ["ls-files", "README.md", "docs/README.md", "docs/guide"], {
    cwd: root,
    encoding: "utf8",
  });
  return names.trim().split("\n").map(readGuide);
}

function readGuide(name: string): Guide {
  const markdown = fs.readFileSync(path.join(root, name), "utf8");
  const scripts = blocksOf(markdown, "js").flatMap((text) => {
    const [, file] = /^\/\/ ([\w.-]+):/.exec(text) ?? [];
    return file === undefined ? [] : [{ name: file, text }];
  });
  return {
    name,
    files: scripts,
    lines: blocksOf(markdown, "sh").flatMap(shellLines),
    typescript: blocksOf(markdown, "ts"),
  };
}

// A line that ends with a backslash goes on in the next.
function shellLines(block: string): ShellLine[] {
  return block
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({
      text: line.replace(/\s+# .*$/, ""),
      code: Number(/# .*\bexits with (\d+)/.exec(line)?.[1] ?? 0),
    }));
}

function blocksOf(markdown: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm");
  return [...markdown.matchAll(fence)].map(([, block]) => block!);
}
