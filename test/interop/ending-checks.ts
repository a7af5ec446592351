import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { waitFor } from "../support/wait-for.ts";
import type { Check, CheckHome } from "./checks.ts";
import type { AnswerPart } from "../support/messages-answer.ts";
import { startScriptedModel, type ModelStep } from "./scripted-model.ts";
import { talkWithClient, type TalkOptions } from "./talk-with-client.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const LONG = { timeoutMs: 60_000 };
const never = new Promise<never>(() => {});

/** Commands that outlive their client, and what a later session is told of how they ended. */
export const endingChecks: Check[] = [
  {
    name: "endings: after a kill -9 the true exit code of a background command is told",
    run: (home) =>
      toldAfterKill(home, { fails: "told", steps: (command) => ({ main: [[shell(command)], waits] }) }),
  },
  {
    name: "endings: also of a sub-agent's command",
    run: (home) =>
      toldAfterKill(home, {
        fails: "told",
        steps: (command) => ({ main: [[agent], waits], agent: [[shell(command)], waits] }),
      }),
  },
  {
    name: "endings: also in a session that was resumed, compacted and cleared",
    async run(home) {
      await using model = await startScriptedModel({});
      const first = talk(home, { modelUrl: model.url });
      await first.say("Hello");
      await first.end();
      return toldAfterKill(home, {
        fails: "told",
        args: ["--resume", first.sessionId ?? ""],
        before: ["/compact", "Go on", "/clear"],
        steps: (command) => ({ main: [["Understood."], [shell(command)], waits] }),
      });
    },
  },
  {
    name: "endings: also in a fork",
    async run(home) {
      await using model = await startScriptedModel({});
      const first = talk(home, { modelUrl: model.url });
      await first.say("Hello");
      await first.end();
      return toldAfterKill(home, {
        fails: "told",
        args: ["--resume", first.sessionId ?? "", "--fork-session"],
        steps: (command) => ({ main: [[shell(command)], waits] }),
      });
    },
  },
  {
    name: "endings: switched off, the code is unknown, and said to be",
    run: (home) =>
      toldAfterKill(home, {
        fails: "unknown",
        isOff: true,
        steps: (command) => ({ main: [[shell(command)], waits] }),
      }),
  },
  {
    name: "endings: the model sees nothing of it",
    async run(home) {
      const command = "echo out; echo err >&2; env | grep -ci holdfast_; set -x; (exit 3)";
      const answerWith = async (isOff: boolean): Promise<string> => {
        await using model = await startScriptedModel({ main: [[{ tool: "Bash", input: { command } }]] });
        const one = talk(home, { modelUrl: model.url, isOff });
        await one.say("Run it");
        await one.end();
        return (
          /"type":"tool_result","content":("(?:[^"\\]|\\.)*")/.exec(model.main[1]?.text ?? "")?.[1] ?? ""
        );
      };
      const [on, off] = [await answerWith(false), await answerWith(true)];
      return on === off && on.includes("Exit code 3") ? [] : [`on: ${on}`, `off: ${off}`];
    },
  },
];

const shell = (command: string): AnswerPart => ({
  tool: "Bash",
  input: { command, description: "Two lines", run_in_background: true },
});
const agent: AnswerPart = {
  tool: "Agent",
  input: { description: "Count", prompt: "Count", subagent_type: "general-purpose", run_in_background: true },
};
const waits: ModelStep = { after: never, content: [] };

type Steps = Parameters<typeof startScriptedModel>[0];

interface Story {
  steps: (command: string) => Steps;
  fails: "told" | "unknown";
  isOff?: boolean;
  args?: string[];
  /** Said before the command is launched. */
  before?: string[];
}

async function toldAfterKill(home: CheckHome, story: Story): Promise<string[]> {
  const { steps, fails, isOff = false, args = [], before = [] } = story;
  const go = path.join(home.userHome, "go");
  const command = `echo first line; while [ ! -e ${go} ]; do sleep 0.1; done; echo second line; exit 7`;
  await using model = await startScriptedModel(steps(command));
  const killed = talk(home, { modelUrl: model.url, args, isOff });
  for (const prompt of before) await killed.say(prompt);
  killed.begin("Start it");
  const output = await waitFor(() => outputs(home).find((file) => hasText(file, "first line")), LONG);
  await waitFor(() => manifestText(home).includes(path.basename(output, ".output")), LONG);
  await killed.kill();
  fs.writeFileSync(go, "");
  await waitFor(() => hasText(output, "second line"), LONG);
  await waitFor(() => !isOpen(output), LONG);
  const sessionId = path.basename(path.dirname(path.dirname(output)));
  await using next = await startScriptedModel({});
  const resumed = talk(home, { modelUrl: next.url, args: ["--resume", sessionId], isOff });
  await resumed.say("What happened?");
  await resumed.end();
  const text = next.main[0]?.text ?? "";
  const brief = text.slice(Math.max(0, text.indexOf("state of background work")));
  const wanted = fails === "told" ? "failed with exit code 7" : "exit code was never recorded";
  return brief.includes(wanted) ? [] : [`the model was not told "${wanted}" but: ${brief.slice(0, 1500)}`];
}

function talk(
  home: CheckHome,
  { isOff = false, ...options }: Omit<TalkOptions, "cwd"> & { isOff?: boolean },
): ReturnType<typeof talkWithClient> {
  const bin = path.join(home.userHome, "bin");
  const state = path.join(home.userHome, "holdfast");
  for (const dir of [bin, state]) fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const program = `"${process.execPath}" "${path.join(root, "bin/holdfast.js")}"`;
  fs.writeFileSync(path.join(bin, "holdfast"), `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 });
  fs.writeFileSync(path.join(state, "config.json"), JSON.stringify({ hooks: { exitCodes: !isOff } }));
  return talkWithClient(home, {
    ...options,
    cwd: home.cwd,
    args: ["--plugin-dir", path.join(root, "plugin"), ...(options.args ?? [])],
    // The client takes bash or zsh; of zsh no code is known.
    env: { PATH: `${bin}:${process.env["PATH"]}`, HOLDFAST_HOME: state, SHELL: "/bin/bash", ...options.env },
  });
}

function outputs(home: CheckHome): string[] {
  const names = fs.readdirSync(path.join(home.userHome, "tmp"), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /\/tasks\/b[0-9a-z]+\.output$/.test(name))
    .map((name) => path.join(home.userHome, "tmp", name));
}

function hasText(file: string, text: string): boolean {
  return fs.readFileSync(file, "utf8").includes(text);
}

function manifestText(home: CheckHome): string {
  const dir = path.join(home.userHome, "holdfast", "manifests");
  if (!fs.existsSync(dir)) return "";
  return fs
    .readdirSync(dir)
    .map((name) => fs.readFileSync(path.join(dir, name), "utf8"))
    .join("");
}

function isOpen(file: string): boolean {
  const name = path.basename(file);
  return fs.readdirSync("/proc").some((pid) => {
    try {
      return fs
        .readdirSync(`/proc/${pid}/fd`)
        .some((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith(name));
    } catch {
      return false;
    }
  });
}
