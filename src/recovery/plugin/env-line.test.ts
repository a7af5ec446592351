import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { tempDir, waitFor } from "../../../test/support/index.ts";
import { hasProc } from "../../lib/process-table.ts";
import { envLine, withEnvLine } from "./env-line.ts";

const script = fileURLToPath(new URL("../../../plugin/hooks/record-ending.sh", import.meta.url));

/** A command as the client puts it together: what sessions add to it, then the command itself. */
function wrapped(command: string, line: string): string {
  const quoted = `'${command.replaceAll("'", `'"'"'`)}'`;
  return `true || true && ${line}\n: && shopt -u extglob 2>/dev/null || true && eval ${quoted} < /dev/null && pwd -P >| /dev/null`;
}

interface Shells extends Disposable {
  line: string;
  /** Runs a command of a client that is gone before it ends, and gives what is written down of it. */
  recorded(command: string, meanwhile?: (pid: number) => void): Promise<string | undefined>;
}

function shells(): Shells {
  const dir = tempDir();
  const endingsDir = path.join(dir, "it's endings");
  fs.mkdirSync(endingsDir);
  const line = envLine({ script, endingsDir });
  let count = 0;
  return {
    line,
    async recorded(command, meanwhile = () => {}) {
      const id = `b${count++}`;
      const output = path.join(dir, "s-1", "tasks", `${id}.output`);
      const pidFile = path.join(dir, `${id}.pid`);
      fs.mkdirSync(path.dirname(output), { recursive: true });
      // The client goes as soon as its command has begun, and the command goes on when it is gone.
      const start = `echo $$ > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'`;
      const orphaned = `while [ "$(ps -o ppid= -p $$ | tr -d ' ')" = "$PPID" ]; do sleep 0.05; done`;
      const begin = '{ bash -c "$1" <&3 >"$2" 2>&1 & } 3<&0; until [ -e "$3" ]; do sleep 0.05; done';
      const args = [wrapped(`${start}; ${orphaned}; ${command}`, line), output, pidFile];
      const client = spawn("sh", ["-c", begin, "sh", ...args], { stdio: ["pipe", "ignore", "inherit"] });
      await new Promise((resolve) => client.on("exit", resolve));
      const pid = Number(fs.readFileSync(pidFile, "utf8"));
      meanwhile(pid);
      await waitFor(() => !isRunning(pid));
      client.stdin.destroy();
      const file = path.join(endingsDir, id);
      if (!fs.existsSync(file)) return undefined;
      const text = fs.readFileSync(file, "utf8");
      expect(text).toBe(`${text.split(" ")[0]} ${output}\n`);
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      return text.split(" ")[0];
    },
    [Symbol.dispose]: () => fs.rmSync(dir, { recursive: true, force: true }),
  };
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe.skipIf(!hasProc())(
  "envLine() has a command write down its exit code when its client is gone",
  () => {
    test.each([
      ["true", "0"],
      ["exit 0", "0"],
      ["exit 7", "7"],
      ["(exit 5)", "5"],
      ["set -eu; echo $nothing", "127"],
      ["set -o pipefail; sh -c 'exit 3' | cat", "3"],
      ["sleep 0.01 & wait; exit 4", "4"],
      ["cd /; umask 777; PATH=/nowhere; IFS=/; set -fC; exit 9", "9"],
      ["shopt -s expand_aliases; alias set=false return=false; exit 6", "6"],
      ["exec 2>&-; exit 8", "8"],
      ["exec </etc/passwd; exit 3", "3"],
    ])("%s: %s", async (command, code) => {
      using world = shells();
      expect(await world.recorded(command)).toBe(code);
    });

    // At worst nothing is known: what would be written down could be wrong.
    test.each([
      ["a trap of its own", "trap : EXIT; exit 4"],
      ["another program in the shell's place", "exec sh -c 'exit 8'"],
      ["output that was sent elsewhere", "exec >/dev/null; exit 3"],
      ["a signal that it sends itself", "false; kill -TERM $$"],
    ])("but not with %s", async (_, command) => {
      using world = shells();
      expect(await world.recorded(command)).toBeUndefined();
    });

    test.each(["SIGTERM", "SIGHUP", "SIGUSR1", "SIGKILL"] as const)(
      "but not when it is killed by %s",
      async (signal) => {
        using world = shells();
        for (const command of [
          "(exit 3); read word < <(sleep 9)",
          "false; sleep 9 & wait",
          "(exit 3); while :; do :; done",
        ])
          expect([command, await world.recorded(command, (pid) => process.kill(pid, signal))]).toEqual([
            command,
            undefined,
          ]);
      },
    );

    test("but not while its client lives", () => {
      using world = shells();
      const { status } = spawnSync("bash", ["-c", wrapped("exit 3", world.line)]);
      expect(status).toBe(3);
    });
  },
);

describe("envLine() changes nothing that a command says or does", () => {
  test.each(["bash", "zsh", "dash", "mksh", "yash"])("in %s", (shell) => {
    if (spawnSync("sh", ["-c", `command -v ${shell}`]).status !== 0) return;
    using world = shells();
    const commands = [
      "echo out; echo err >&2; exit 3",
      "set -x; (exit 4)",
      "set -eu; echo $nothing",
      "trap 'echo mine' EXIT; exit 6",
      "kill -TERM $$",
      "exec sh -c 'exit 8'",
      "f() { return 3; }; f",
      "exec 2>&-; exit 9",
      "set | cut -d= -f1; env | cut -d= -f1 | sort; alias; exit 1",
    ];
    for (const command of commands) {
      const ran = (line: string): unknown => {
        const env = { PATH: process.env["PATH"] };
        const { status, signal, stdout, stderr } = spawnSync(shell, ["-c", wrapped(command, line)], {
          env,
          encoding: "utf8",
        });
        // Shells count the lines of all that they are given.
        return { command, status, signal, stdout, stderr: stderr.replaceAll(/\d+/g, "n") };
      };
      expect(ran(world.line)).toEqual(ran(":"));
    }
  });

  test.skipIf(!hasProc())("nor a trap that was there", () => {
    using world = shells();
    const ran = spawnSync("bash", ["-c", wrapped("exit 3", `trap 'echo theirs' EXIT\n${world.line}`)], {
      encoding: "utf8",
    });
    expect(ran).toMatchObject({ status: 3, stdout: "theirs\n" });
  });
});

describe("withEnvLine()", () => {
  const line = envLine({ script: "/a/b", endingsDir: "/c" });
  const older = envLine({ script: "/old version/b", endingsDir: "/c" });

  test("adds the line once, in the place of an older one, and keeps what others wrote", () => {
    expect(withEnvLine("", line)).toBe(`${line}\n`);
    expect(withEnvLine(`${line}\n`, line)).toBe(`${line}\n`);
    expect(withEnvLine("export A=1", line)).toBe(`export A=1\n${line}\n`);
    expect(withEnvLine(`${older}\nexport A=1\n`, line)).toBe(`export A=1\n${line}\n`);
  });

  test("takes only ours away", () => {
    expect(withEnvLine(`${older}\n`, undefined)).toBe("");
    expect(withEnvLine(`export A=1\n${line}\nexport B=2\n`, undefined)).toBe("export A=1\nexport B=2\n");
  });
});
