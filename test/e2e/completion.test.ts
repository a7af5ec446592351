import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sampleSession, tempDir } from "../support/index.ts";
import { hasTmux, openTerminal } from "./chat-terminal.ts";
import { run } from "./cli.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

/** How each shell is started without anybody's settings, and told what the documents say. */
const shells = [
  {
    shell: "bash",
    start: ["bash", "--norc", "--noprofile", "-i"],
    set: 'eval "$(holdfast completion bash)"',
  },
  { shell: "zsh", start: ["zsh", "-f", "-i"], set: 'eval "$(holdfast completion zsh)"' },
  { shell: "fish", start: ["fish", "--no-config", "-i"], set: "holdfast completion fish | source" },
];

function isInstalled(shell: string): boolean {
  try {
    execFileSync("/bin/sh", ["-c", `command -v ${shell}`]);
    return true;
  } catch {
    process.stderr.write(
      `SKIPPED: the completions of ${shell} are not driven, because it is not installed\n`,
    );
    return false;
  }
}

interface Words {
  home: TaskHome;
  words: string[];
}

async function valuesFor({ home, words }: Words): Promise<string[]> {
  const { code, stdout, stderr } = await run(["completion", "words", "--", ...words], { home });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").filter(Boolean);
}

describe("holdfast completion", () => {
  test("words offers commands, options, choices, and what is there right now", async () => {
    await using home = taskHome();
    const session = sampleSession({ cwd: home.cwd }).write(home.configDir);
    const id = await home.start("--name", "watch", "--", "sleep", "60");
    const words = (...typed: string[]): Promise<string[]> => valuesFor({ home, words: typed });
    expect(await words("sess")).toEqual(["sessions\tList sessions, newest first"]);
    expect(await words("-")).toEqual(["--help\t", "--version\t"]);
    expect(await words("fleet", "u")).toEqual(["up\tStart a server of one node on this machine"]);
    expect(await words("help", "fleet", "u")).toEqual(await words("fleet", "u"));
    expect(await words("export", "@last", "--form")).toEqual(["--format\tmd by default"]);
    expect(await words("export", "@last", "--format", "")).toEqual([
      "md\t",
      "html\t",
      "json\t",
      "anthropic\t",
      "ai-sdk\t",
    ]);
    expect(await words("export", "@last", "-f", "h")).toEqual(["html\t"]);
    expect(await words("export", "@last", "--format=h")).toEqual(["--format=html\t"]);
    expect(await words("run", "--cwd", "")).toEqual([":folders"]);
    expect(await words("run", "")).toEqual([":commands"]);
    expect(await words("run", "--", "cat", "-")).toEqual([":files"]);
    expect(await words("kill", "wa")).toEqual(["watch\trunning: sleep 60"]);
    expect((await words("logs", "")).map((line) => line.split("\t")[0])).toEqual(["@last", "watch", id]);
    const title = `${session.sessionId}\tFix the parser`;
    expect(await words("show", "")).toEqual(["@last\tthe newest", title]);
    expect(await words("archive", session.sessionId.slice(0, 5))).toEqual([title]);
    expect(await words("agent", "--type", "P")).toHaveLength(1);
    expect(await words("nonsense", "")).toEqual([]);
    expect(await words("ps", "too", "many", "")).toEqual([]);
  });

  test("words cleans what somebody else wrote, and survives a home that is not there", async () => {
    await using home = taskHome();
    const session = sampleSession({ cwd: home.cwd });
    session.meta("custom-title", { customTitle: "\u001b[31mred\ttitle\nwith lines" });
    const { sessionId } = session.write(home.configDir);
    expect(await valuesFor({ home, words: ["show", sessionId.slice(0, 4)] })).toEqual([
      `${sessionId}\tred title with lines`,
    ]);
    expect(await valuesFor({ home, words: ["logs", ""] })).toEqual([]);
    expect(fs.existsSync(home.home)).toBe(false);
  });

  test("refuses a shell that it does not know, and words that no script takes", async () => {
    expect(await run(["completion", "tcsh"])).toMatchObject({ code: 2 });
    expect(await run(["completion", "bash", "more"])).toMatchObject({ code: 2 });
  });

  for (const { shell, start, set } of shells) {
    test.skipIf(!hasTmux || !isInstalled(shell))(
      `drives ${shell}, which completes what is there`,
      async () => {
        await using home = taskHome();
        fs.mkdirSync(path.join(home.cwd, "subfolder"));
        const { sessionId } = sampleSession({ cwd: home.cwd }).write(home.configDir);
        const id = await home.start("--name", "a build", "--", "sleep", "60");
        await using terminal = await openTerminal(home, start, {
          columns: 120,
          env: { PATH: `${shimDir()}:${process.env["PATH"] ?? ""}`, PS1: "$ ", HISTFILE: "/dev/null" },
        });
        await terminal.say(`${set}; echo re''ady`);
        await terminal.shows(/^ready$/m);
        const lines: [typed: string, completed: string][] = [
          ["holdfast sessi", "holdfast sessions"],
          ["holdfast fleet wor", "holdfast fleet worker"],
          ["holdfast stop a", "holdfast stop a\\ build"],
          [`holdfast logs ${id.slice(0, 4)}`, `holdfast logs ${id}`],
          ["holdfast logs @l", "holdfast logs @last"],
          [`holdfast show ${sessionId.slice(0, 6)}`, `holdfast show ${sessionId}`],
          ["holdfast agent --type Exp", "holdfast agent --type Explore"],
          ["holdfast export @last --form", "holdfast export @last --format"],
          ["holdfast run --cwd subf", "holdfast run --cwd subfolder/"],
        ];
        for (const [typed, completed] of lines) {
          await terminal.type(typed);
          await terminal.shows(typed);
          await terminal.press("Tab");
          await terminal.shows(completed);
          expect((await terminal.screen()).at(-1)).toMatch(/holdfast \S/);
          await terminal.press("C-u");
          await terminal.hides(typed);
        }
      },
    );
  }
});

/** A folder whose `holdfast` is that of this clone. */
function shimDir(): string {
  const dir = tempDir();
  const file = path.join(dir, "holdfast");
  fs.writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 });
  return dir;
}
