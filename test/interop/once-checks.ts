import fs from "node:fs";
import path from "node:path";
import { waitFor } from "../support/wait-for.ts";
import type { Check } from "./checks.ts";
import {
  agentCalled,
  briefIn,
  envOf,
  gate,
  holdfast,
  inBackground,
  isOpen,
  launchOf,
  LONG,
  manifest,
  missing,
  never,
  processes,
  resumed,
  talkWithPlugin,
  timesTold,
} from "./plugin-world.ts";
import { startScriptedModel } from "./scripted-model.ts";
import { talkWithClient } from "./talk-with-client.ts";

/** What is told by the client or by Holdfast, and by one of them: rows of the table in docs/guide/recovery.md. */
export const onceChecks: Check[] = [
  {
    name: "once: work that ends during a compaction, or is stopped just before, is told by the client alone",
    async run(home) {
      const door = gate(home);
      await using model = await startScriptedModel({
        main: [
          [
            inBackground(`${door.command}; echo all done`, "the command"),
            inBackground("sleep 1000", "the stopped command"),
            agentCalled("the agent"),
          ],
        ],
        agent: [{ after: () => door.opened(), content: ["There are 4711 files."] }],
        compaction: [
          {
            after: async () => {
              door.open();
              await waitFor(
                () =>
                  manifest(home).some(({ agent_id: id, status }) => id === agentId && status === "completed"),
                LONG,
              );
            },
            content: ["Summary of what was said."],
          },
        ],
      });
      let agentId = "";
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      await talk.say("Start them");
      const [command, stopped, agent] = await Promise.all(
        ["the command", "the stopped command", "the agent"].map((name) => launchOf(home, name)),
      );
      agentId = agent!.agent_id;
      talk.control({ subtype: "stop_task", task_id: stopped!.agent_id });
      await talk.say("/compact");
      await talk.say("And now?");
      await talk.say("And then?");
      await talk.end();
      const { text = "" } = model.main.at(-1) ?? {};
      const ended = [command!, stopped!, agent!];
      const byUs = ended.filter(({ agent_id: id }) => timesTold(text, id) > 0);
      const unsaid = ended.filter(({ agent_id: id }) => !text.includes(`<task-id>${id}</task-id>`));
      return [
        ...byUs.map(({ description }) => `"${description}" was told by Holdfast, too`),
        ...unsaid.map(({ description }) => `"${description}" was not told by the client`),
      ];
    },
  },
  {
    name: "once: a command that the model stopped is no news, and is launched again without a warning",
    async run(home) {
      let id = "";
      await using model = await startScriptedModel({
        main: [
          [inBackground("sleep 1000", "the command")],
          {
            after: async () => ({ agent_id: id } = await launchOf(home, "the command")),
            content: () => [{ tool: "TaskStop", input: { task_id: id } }],
          },
          [inBackground("sleep  1000", "the command again")],
        ],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url, args: ["--allowedTools", "TaskStop"] });
      await talk.say("Start it, stop it, and start it again");
      await talk.say("/compact");
      await talk.say("And now?");
      await talk.kill();
      const [text = ""] = await resumed(home, talk.sessionId);
      return [
        ...(model.main.some(({ text: asked }) => asked.includes("the same work"))
          ? ["the second launch was warned of"]
          : []),
        ...(model.main.some(({ text: asked }) => timesTold(asked, id) > 0) || timesTold(text, id) > 0
          ? ["it is told as news"]
          : []),
      ];
    },
  },
  {
    name: "once: a fork from before a notification is told the truth about what the client says did not finish",
    async run(home) {
      await using model = await startScriptedModel({
        main: [
          [inBackground("echo all done; exit 3", "the command")],
          { after: () => launchOf(home, "the command"), content: ["Started."] },
        ],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      await talk.say("Start it");
      const { agent_id: id } = await launchOf(home, "the command");
      await waitFor(
        () => manifest(home).some((line) => line.agent_id === id && line.status === "seen"),
        LONG,
      );
      await talk.end();
      const lines = fs.readFileSync(transcriptOf(home, talk.sessionId), "utf8").trimEnd().split("\n");
      const launchAt = lines.findIndex((line) => line.includes(`"backgroundTaskId":"${id}"`));
      const { uuid } = JSON.parse(lines[launchAt] ?? "{}") as { uuid?: string };
      const [text = ""] = await resumed(home, talk.sessionId, {
        args: ["--fork-session", "--resume-session-at", uuid ?? ""],
      });
      const [whole = ""] = await resumed(home, talk.sessionId, { args: ["--fork-session"] });
      return [
        ...(text.includes("didn't finish") || text.includes("No completion record")
          ? []
          : ["the client did not say that it did not finish"]),
        ...missing(briefIn({ text }), [`command ${id}`, "failed with exit code 3", "made without looking"]),
        ...(timesTold(whole, id) === 0 ? [] : ["a fork that has the notification is told again"]),
      ];
    },
  },
  {
    name: "once: a session that is closed without a prompt leaves the news to the next",
    async run(home) {
      await using model = await startScriptedModel({});
      const first = talkWithPlugin(home, { modelUrl: model.url });
      await first.say("Hello");
      await first.end();
      const session = first.sessionId ?? "";
      holdfast(home, ["run", "--wait", "--session", session, "--description", "errand", "--", "true"]);
      const offers = path.join(home.userHome, "holdfast", "offers");
      const idle = talkWithPlugin(home, { modelUrl: model.url, args: ["--resume", session] });
      await waitFor(() => fs.existsSync(offers) && fs.readdirSync(offers).length > 0, LONG);
      await idle.end();
      const [text = "", again = ""] = await resumed(home, session, {
        prompts: ["What happened?", "And now?"],
      });
      return [
        ...missing(text, ['errand\\": completed']),
        ...(again.split('errand\\": completed').length === 2 ? [] : ["it was told more than once"]),
      ];
    },
  },
  {
    name: "once: neither `claude -p` nor a client whose input closes waits for a task because of the hook that wakes",
    async run(home) {
      const installed = holdfast(home, ["plugin", "install", "--wake"]);
      if (installed.status !== 0) return [`plugin install failed: ${installed.stderr}`];
      const command = "holdfast run --stdin --description errand -- 'read word; echo $word'";
      await using model = await startScriptedModel({ main: [[{ tool: "Bash", input: { command } }]] });
      const options = { cwd: home.cwd, modelUrl: model.url, env: envOf(home) };
      const talk = talkWithClient(home, options);
      await talk.say("Start the errand");
      const { agent_id: id } = await launchOf(home, "errand");
      const before = Date.now();
      const code = await talk.end();
      const waitedMs = Date.now() - before;
      await waitFor(() => processes("\0hook\0--wake").length === 0, LONG);
      holdfast(home, ["send", id, "four-thousand"]);
      await waitFor(() => holdfast(home, ["notices"]).stdout.includes(id), LONG);
      const again = talkWithClient(home, { ...options, args: ["--resume", talk.sessionId ?? ""] });
      await again.say("What happened?");
      await again.end();
      return [
        ...(code === 0 ? [] : [`the client ended with ${code}`]),
        ...(waitedMs < 20_000 ? [] : [`the client waited ${waitedMs} ms`]),
        ...missing(model.main.at(-1)?.text ?? "", [`command ${id}`, "four-thousand"]),
      ];
    },
  },
  {
    name: "once: an agent that ended while its client was gone from /tmp is told with a transcript that is there",
    async run(home) {
      await using model = await startScriptedModel({
        main: [[agentCalled("the agent")], { after: never, content: [] }],
        agent: [{ after: never, content: [] }],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      talk.begin("Start it");
      const { agent_id: id, transcript = "" } = await launchOf(home, "the agent");
      await waitFor(() => fs.existsSync(transcript), LONG);
      await talk.kill();
      // As after a reboot.
      fs.rmSync(path.join(home.userHome, "tmp"), { recursive: true });
      const [text = ""] = await resumed(home, talk.sessionId);
      const told = new RegExp(`agent ${id}.*?transcript: ([^;]+);`).exec(briefIn({ text }))?.[1] ?? "";
      return fs.existsSync(told)
        ? []
        : [`the transcript that it was told is not there: ${told} in ${briefIn({ text })}`];
    },
  },
  {
    name: "once: twenty endings at once are told at one resume, each with its line",
    async run(home) {
      const door = gate(home);
      const numbers = Array.from({ length: 20 }, (_, index) => index);
      const long = `${door.command}; seq 1000 | tail -n 100`;
      await using model = await startScriptedModel({
        main: [
          numbers.map((n) => inBackground(`${long}; echo ${n}`, `command ${n} of twenty`)),
          { after: never, content: [] },
        ],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      talk.begin("Start them");
      const launches = await Promise.all(numbers.map((n) => launchOf(home, `command ${n} of twenty`)));
      await talk.kill();
      door.open();
      await waitFor(() => launches.every(({ output_file: output }) => !isOpen(output)), LONG);
      const [text = ""] = await resumed(home, talk.sessionId);
      const untold = launches.filter(({ agent_id: id }) => timesTold(text, id) !== 1);
      const listed = holdfast(home, ["recover", "--told", "--session", talk.sessionId ?? ""]).stdout;
      return [
        ...(untold.length === 0 ? [] : [`${untold.length} of 20 were not told: ${briefIn({ text })}`]),
        ...missing(briefIn({ text }), ["listed by: holdfast recover --told --session"]),
        ...launches
          .filter(({ agent_id: id }) => !listed.includes(id))
          .map(({ agent_id: id }) => `the command does not list ${id}`),
      ];
    },
  },
];

function transcriptOf(home: Parameters<Check["run"]>[0], sessionId: string | undefined): string {
  const project = home.cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
  return path.join(home.configDir, "projects", project, `${sessionId}.jsonl`);
}
