import fs from "node:fs";
import path from "node:path";
import { openRuntime, type Runtime, type SessionRef, type Task } from "../../src/index.ts";
import type { OpenThreads } from "../../src/agents/threads/open-threads.ts";
import type { ScriptStep } from "../../src/agents/runners/scripted/script.ts";
import { listTasks } from "../../src/tasks/list/list-tasks.ts";
import { writeScript } from "../support/agent-script.ts";
import { waitFor } from "../support/wait-for.ts";
import { wrongWith, type Check, type CheckHome } from "./checks.ts";
import { startScriptedModel } from "./scripted-model.ts";
import { talkWithClient } from "./talk-with-client.ts";

const SUB_PROMPT = "Count the files";
const steps: ScriptStep[] = [
  { text: "I look first." },
  { run: "echo three files" },
  { agent: SUB_PROMPT, description: "Counts", type: "general-purpose" },
  { text: "There are three." },
];
const prompts = { [SUB_PROMPT]: [{ text: "I counted 4711 files." }] };

/** Transcripts that the agent host wrote, in the hands of the real client. */
export const hostChecks: Check[] = [
  {
    name: "host: an agent's conversation, with a tool and a sub-agent, is resumed whole",
    async run(home) {
      const task = await runAgent(home);
      const session = await home.store.find(task.record.agent!.transcript.sessionId);
      return wrongWith(home, session);
    },
  },
  {
    name: "host: a sub-agent of an agent goes on when the client sends it a message",
    async run(home) {
      const task = await runAgent(home);
      const sub = listTasks(stateOf(home), { all: true }).find(({ record }) => record.agent?.depth === 2);
      if (!sub) return ["no sub-agent was recorded"];
      const { sessionId } = task.record.agent!.transcript;
      await using model = await startScriptedModel({
        main: [
          [{ tool: "SendMessage", input: { to: sub.record.id, message: "Count again", summary: "again" } }],
        ],
        agent: [["Still 4711."]],
      });
      const talk = talkWithClient(home, {
        cwd: home.cwd,
        modelUrl: model.url,
        args: ["--resume", sessionId, "--allowedTools", "Bash,Agent,SendMessage"],
      });
      await talk.say("Ask the counter once more");
      await talk.end();
      const first = model.asked.find(({ asker }) => asker === "agent");
      if (!first) return [`the sub-agent was not asked: ${model.main.at(-1)?.text.slice(-400)}`];
      return ["I counted 4711 files.", "Count again"]
        .filter((text) => !first.text.includes(text))
        .map((text) => `the sub-agent's model was not given "${text}"`);
    },
  },
  {
    name: "host: a query that was left in the background answers its session, which is resumed whole",
    run: async (home) => {
      await using runtime = runtimeOf(home);
      const session = await leaveInBackground(home, runtime, { isAnsweredFirst: true });
      return [...(await lacks(home, session)), ...(await wrongWith(home, session))];
    },
  },
  {
    name: "host: a session that moved on gets the answer from the background behind it, and is resumed whole",
    run: async (home) => {
      await using runtime = runtimeOf(home);
      const session = await leaveInBackground(home, runtime, { isAnsweredFirst: false });
      return [...(await lacks(home, session)), ...(await wrongWith(home, session))];
    },
  },
];

const said = ["I look first.", "three files", "There are three."];

async function lacks({ store }: CheckHome, session: SessionRef): Promise<string[]> {
  const all = JSON.stringify((await store.readConversation(session)).entries);
  return said.filter((text) => !all.includes(text)).map((text) => `the session lacks "${text}"`);
}

/** A query goes to the background and then into a process of its own; in between the session is talked in, or not. */
async function leaveInBackground(
  home: CheckHome,
  runtime: Runtime,
  { isAnsweredFirst }: { isAnsweredFirst: boolean },
): Promise<SessionRef> {
  fs.mkdirSync(home.cwd, { recursive: true });
  const gate = path.join(home.userHome, "go");
  const script = [{ text: said[0]! }, { run: "echo three files" }, { waitFor: gate }, { text: said[2]! }];
  const told: unknown[] = [];
  const shows = (text: string): Promise<unknown> => waitFor(() => JSON.stringify(told).includes(text));
  const open = (asked: ScriptStep[]): Promise<OpenThreads> =>
    runtime.threads.open(
      { runner: writeScript({ cwd: home.userHome }, asked), permission: "allow", cwd: home.cwd },
      { tell: (event) => told.push(event), takeNotices: async () => [], onIdle() {}, onChanged() {} },
    );
  const chat = await open(script);
  await chat.begin();
  const { id } = chat.front.session;
  void chat.say("How many files are there?");
  await shows(said[1]!);
  const { task } = (await chat.background())!;
  await chat.leave();
  await chat.closeAll();
  if (!isAnsweredFirst) {
    // Its first two steps are told already.
    const other = await open([{ text: "-" }, { run: "-" }, { text: "Of course." }]);
    await other.begin(id);
    await other.say("Tell me later");
    await other.closeAll();
  }
  fs.writeFileSync(gate, "");
  await runtime.tasks.wait(task.record.id);
  return home.store.find(id);
}

const runtimeOf = (home: CheckHome): Runtime =>
  openRuntime({ home: stateOf(home), configDir: home.configDir, env: { PATH: process.env["PATH"] } });

const stateOf = (home: CheckHome): string => path.join(path.dirname(home.cwd), "state");

async function runAgent(home: CheckHome): Promise<Task> {
  await using runtime = openRuntime({
    home: stateOf(home),
    configDir: home.configDir,
    env: { PATH: process.env["PATH"] },
  });
  fs.mkdirSync(home.cwd, { recursive: true });
  const task = await runtime.agents.start({
    prompt: "How many files are there?",
    cwd: home.cwd,
    runner: writeScript({ cwd: home.userHome }, { steps, prompts }),
    permission: "allow",
  });
  const ended = await runtime.tasks.wait(task);
  if (ended?.status !== "completed") throw new Error(`The agent ${JSON.stringify(ended)}`);
  return task;
}
