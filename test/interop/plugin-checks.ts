import fs from "node:fs";
import path from "node:path";
import { waitFor } from "../support/wait-for.ts";
import type { Check, CheckHome } from "./checks.ts";
import {
  agentTool,
  briefIn,
  envOf,
  holdfast,
  killedSession,
  launched,
  LONG,
  manifest,
  missing,
  never,
  plugin,
  processes,
  root,
  runClient,
  shellTool,
  talkWithPlugin,
} from "./plugin-world.ts";
import { startScriptedModel } from "./scripted-model.ts";
import { talkWithClient } from "./talk-with-client.ts";

export const pluginChecks: Check[] = [
  {
    name: "plugin: the client itself finds nothing wrong with it",
    run: async (home) => [...validate(home, plugin), ...validate(home, root)],
  },
  {
    name: "plugin: a compacted session is told of its background agent, with its result",
    async run(home) {
      await using model = await startScriptedModel({
        main: [agentTool("Count the files, please")],
        agent: [["There are 4711 files."]],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      await talk.say("Find out how many files there are");
      const launch = await launched(home, "local_agent");
      await waitFor(
        () =>
          manifest(home).some(({ agent_id, status }) => agent_id === launch.agent_id && status === "seen"),
        LONG,
      );
      await talk.say("/compact");
      await talk.say("How many are there?");
      await talk.end();
      const { text = "" } = model.main.at(-1) ?? {};
      return [
        ...missing(text, ["state of background work", launch.agent_id, "completed", "There are 4711 files."]),
        ...(text.includes("Find out how many") ? ["the session was not compacted"] : []),
      ];
    },
  },
  {
    name: "plugin: after a kill -9 a resumed session is told the truth about a finished command and an agent",
    async run(home) {
      const { shell, agent, sessionId, finishShell } = await killedSession(home);
      await finishShell();
      await using model = await startScriptedModel({});
      const talk = talkWithPlugin(home, { modelUrl: model.url, args: ["--resume", sessionId] });
      await talk.say("What happened?");
      await talk.end();
      const brief = briefIn(model.main[0]);
      return missing(brief, [
        `command ${shell.agent_id}`,
        `agent ${agent.agent_id}`,
        "no longer runs",
        "exit code was never recorded",
        "second line",
        "had not finished when the client that ran it was gone",
        "made without looking",
      ]);
    },
  },
  {
    name: "plugin: after a kill -9 a resumed session is told that a command still runs",
    async run(home) {
      const { shell, sessionId, finishShell } = await killedSession(home);
      await using model = await startScriptedModel({});
      const talk = talkWithPlugin(home, { modelUrl: model.url, args: ["--resume", sessionId] });
      await talk.say("What happened?");
      await talk.end();
      await finishShell();
      return missing(briefIn(model.main[0]), [
        "Running now (1)",
        `command ${shell.agent_id}`,
        "the command runs on without it",
        "open output file of pid",
      ]);
    },
  },
  {
    name: "plugin: the same prompt launched again is noticed before it is launched, with hooks from the settings",
    async run(home) {
      const installed = holdfast(home, ["plugin", "install"]);
      if (installed.status !== 0) return [`plugin install failed: ${installed.stderr}`];
      await using model = await startScriptedModel({
        main: [
          agentTool("Count the files"),
          ["Waiting."],
          agentTool("Count  the\nfiles"),
          ["Waiting again."],
        ],
        agent: [
          { after: never, content: [] },
          { after: never, content: [] },
        ],
      });
      const talk = talkWithClient(home, { cwd: home.cwd, modelUrl: model.url, env: envOf(home) });
      talk.begin("Start it");
      await waitFor(() => model.main.length === 2, LONG);
      const launch = await launched(home, "local_agent");
      await waitFor(() => model.asked.some(({ asker }) => asker === "agent"), LONG);
      talk.begin("Start it again");
      await waitFor(() => model.main.length === 4, LONG);
      await talk.kill();
      return missing(model.main[3]?.text ?? "", ["the same work is running already", launch.agent_id]);
    },
  },
  {
    name: "plugin: two sessions of a project do not get each other's news, and their own once",
    async run(home) {
      await using modelOfA = await startScriptedModel({
        main: [
          [
            {
              tool: "Bash",
              // Not with --wait: who waited for its own task has been told.
              input: {
                command:
                  'id=$(holdfast run --description errand -- echo news-of-A); while holdfast ps | grep -q "$id"; do :; done',
              },
            },
          ],
        ],
      });
      await using modelOfB = await startScriptedModel({});
      const b = talkWithPlugin(home, { modelUrl: modelOfB.url });
      await b.say("Hello");
      const a = talkWithPlugin(home, { modelUrl: modelOfA.url });
      await a.say("Run the errand");
      await waitFor(() => modelOfA.main.some(({ text }) => text.includes(NEWS)), LONG);
      await b.say("Anything new?");
      await a.say("Anything new?");
      const codes = [await a.end(), await b.end()];
      const ofA = modelOfA.main.at(-1)?.text ?? "";
      const told = ofA.split(NEWS).length - 1;
      return [
        ...(codes.every((code) => code === 0) ? [] : [`the clients ended with ${codes.join(" and ")}`]),
        ...(told === 1 ? [] : [`session A was told ${told} times: ${briefIn({ text: ofA })}`]),
        ...(modelOfB.main.some(({ text }) => text.includes("errand")) ? ["session B got the news of A"] : []),
      ];
    },
  },
  ...(["garbage", "huge"] as const).map((feed): Check => ({
    name: `plugin: the client goes on when its hooks are given ${feed} input`,
    run: (home) => goesOn(home, { HOLDFAST_TEST_FEED: feed }),
  })),
  {
    name: "plugin: the client goes on when the home cannot be written",
    run: (home) => goesOn(home, { HOLDFAST_HOME: "/proc/holdfast" }),
  },
  {
    name: "plugin: the client goes on when there is no holdfast on its PATH",
    run: (home) => goesOn(home, { PATH: process.env["PATH"] ?? "" }),
  },
  {
    name: "plugin: a task that is started with its MCP tool belongs to the session",
    async run(home) {
      const name = "mcp__plugin_holdfast_tasks__run";
      await using model = await startScriptedModel({
        main: [[{ tool: name, input: { command: "sleep 1000", description: "errand" } }]],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url, args: ["--allowedTools", name] });
      await talk.say("Run it");
      const { agent_id: id, session_id: session, tool_use_id: toolUse } = await launched(home, "local_bash");
      await talk.end();
      holdfast(home, ["stop", id]);
      return [
        ...missing(model.main[1]?.text ?? "", [id]),
        ...(session === talk.sessionId ? [] : [`the task belongs to session "${session}"`]),
        ...(toolUse === undefined ? ["the task does not name its tool use"] : []),
      ];
    },
  },
  {
    name: "plugin: an idle session is woken when its task ends, where that was asked for",
    async run(home) {
      const installed = holdfast(home, ["plugin", "install", "--wake"]);
      if (installed.status !== 0) return [`plugin install failed: ${installed.stderr}`];
      const command = "holdfast run --stdin --description errand -- 'read word; echo $word'";
      await using model = await startScriptedModel({ main: [[{ tool: "Bash", input: { command } }]] });
      const talk = talkWithClient(home, { cwd: home.cwd, modelUrl: model.url, env: envOf(home) });
      await talk.say("Start the errand");
      const { agent_id: id } = await launched(home, "local_bash");
      const before = model.main.length;
      holdfast(home, ["send", id, "four-thousand"]);
      await waitFor(() => model.main.length > before, LONG);
      await talk.end();
      return missing(model.main.at(-1)?.text ?? "", [`command ${id}`, "four-thousand"]);
    },
  },
  {
    name: "plugin: the hook that waits for an idle client ends with it, and the resumed session is told",
    async run(home) {
      const installed = holdfast(home, ["plugin", "install", "--wake"]);
      if (installed.status !== 0) return [`plugin install failed: ${installed.stderr}`];
      const command = "holdfast run --stdin --description errand -- 'read word; echo $word'";
      await using model = await startScriptedModel({ main: [[{ tool: "Bash", input: { command } }]] });
      const options = { cwd: home.cwd, modelUrl: model.url, env: envOf(home) };
      const talk = talkWithClient(home, options);
      await talk.say("Start the errand");
      const { agent_id: id } = await launched(home, "local_bash");
      await waitFor(() => wakers().length > 0, LONG);
      await talk.kill();
      await waitFor(() => wakers().length === 0, LONG);
      holdfast(home, ["send", id, "four-thousand"]);
      await waitFor(() => holdfast(home, ["notices"]).stdout.includes(id), LONG);
      const again = talkWithClient(home, { ...options, args: ["--resume", talk.sessionId ?? ""] });
      await again.say("What happened?");
      await again.end();
      return missing(model.main.at(-1)?.text ?? "", [`command ${id}`, "four-thousand"]);
    },
  },
  {
    name: "plugin: a client that is killed before its first prompt leaves the news to the next, which is told once",
    async run(home) {
      await using model = await startScriptedModel({});
      const first = talkWithPlugin(home, { modelUrl: model.url });
      await first.say("Hello");
      await first.end();
      const args = ["--resume", first.sessionId ?? ""];
      const session = ["--session", first.sessionId ?? ""];
      holdfast(home, ["run", "--wait", ...session, "--description", "errand", "--", "true"]);
      const offers = path.join(home.userHome, "holdfast", "offers");
      const killed = talkWithPlugin(home, { modelUrl: model.url, args });
      await waitFor(() => fs.existsSync(offers) && fs.readdirSync(offers).length > 0, LONG);
      await killed.kill();
      const next = talkWithPlugin(home, { modelUrl: model.url, args });
      await next.say("What happened?");
      await next.say("And now?");
      await next.end();
      const told = (model.main.at(-1)?.text ?? "").split(NEWS).length - 1;
      return [
        ...(told === 1 ? [] : [`the session was told ${told} times`]),
        ...(fs.readdirSync(offers).length === 0 ? [] : ["the notice was not confirmed"]),
      ];
    },
  },
  {
    name: "plugin: installed from the marketplace it works as well",
    async run(home) {
      for (const args of [
        ["plugin", "marketplace", "add", root],
        ["plugin", "install", "holdfast@holdfast"],
      ]) {
        const done = runClient(home, args);
        if (done.status !== 0) return [`claude ${args.join(" ")}: ${done.stdout}${done.stderr}`];
      }
      await using model = await startScriptedModel({ main: [shellTool("echo one")] });
      const talk = talkWithClient(home, { cwd: home.cwd, modelUrl: model.url, env: envOf(home) });
      await talk.say("Run it");
      const launch = await launched(home, "local_bash");
      await talk.end();
      return launch.description === "Two lines" ? [] : [`the launch says ${JSON.stringify(launch)}`];
    },
  },
];

// As the brief says it, inside of JSON.
const NEWS = 'errand\\": completed with exit code 0';

/** A whole turn with a tool, in which nothing may go wrong however the hooks fare. */
async function goesOn(home: CheckHome, env: Record<string, string>): Promise<string[]> {
  await using model = await startScriptedModel({
    main: [[{ tool: "Bash", input: { command: "echo unhindered" } }]],
  });
  const talk = talkWithPlugin(home, { modelUrl: model.url, env });
  await talk.say("Run it");
  const code = await talk.end();
  return [
    ...(code === 0 ? [] : [`the client ended with ${code}: ${talk.stderr.slice(0, 300)}`]),
    ...missing(model.main[1]?.text ?? "", ["unhindered"]),
    ...(/hook (?:error|failed)|hook additional context/i.test(model.main[1]?.text ?? "")
      ? ["the model was told about a hook"]
      : []),
  ];
}

function validate(home: CheckHome, dir: string): string[] {
  const { status, stdout, stderr } = runClient(home, ["plugin", "validate", "--strict", dir]);
  return status === 0 ? [] : [`${stdout}${stderr}`];
}

/** Hooks that wait to wake a session. */
const wakers = (): string[] => processes("\0hook\0--wake");
