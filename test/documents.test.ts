import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../src/doors/cli/parse-command-line.ts";
import { makeStyle } from "../src/doors/cli/render/style.ts";
import { callsIn } from "./support/commands-in.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = { columns: 100, style: makeStyle({ hasColor: false }) };
const documents = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((name) => fs.existsSync(path.join(root, name)));

describe.each(documents)("%s", (name) => {
  const text = fs.readFileSync(path.join(root, name), "utf8");

  test("has links that lead somewhere", () => {
    const prose = text.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/`[^`]*`/g, "");
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const dead = links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(link));
    expect(dead).toEqual([]);
  });

  test("has command lines that the parser takes", async () => {
    const refused: string[] = [];
    for (const line of commandLines(text))
      for (const argv of callsIn(line))
        await parseCommandLine(argv, page).catch((error: Error) => refused.push(`${line}: ${error.message}`));
    expect(refused).toEqual([]);
  });

  function leadsSomewhere(link: string): boolean {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path.join(root, name) : path.resolve(root, path.dirname(name), file);
    if (!fs.existsSync(target)) return false;
    return anchor === undefined || anchorsOf(fs.readFileSync(target, "utf8")).includes(anchor);
  }
});

// Lines of shell blocks, without the comment that says what they do; a line may go on in the next one.
function commandLines(text: string): string[] {
  return [...text.matchAll(/^```(?:sh|bash|console)\n([^]*?)^```$/gm)].flatMap(([, block]) =>
    block!
      .replaceAll("\\\n", " ")
      .split("\n")
      .map((line) =>
        line
          .replace(/^\$ /, "")
          .replace(/(^|\s)#.*$/, "")
          .trim(),
      )
      // What main.ts answers by itself.
      .filter((line) => line.startsWith("holdfast ") && line !== "holdfast --version"),
  );
}

// As GitHub names headings.
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
