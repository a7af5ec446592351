import fs from "node:fs";
import path from "node:path";
import { waitFor } from "../support/wait-for.ts";
import type { Check } from "./checks.ts";
import {
  agentCalled,
  briefIn,
  gate,
  holdfast,
  inBackground,
  isOpen,
  launchOf,
  LONG,
  missing,
  never,
  processes,
  resumed,
  talkWithPlugin,
  timesTold,
} from "./plugin-world.ts";
import { startScriptedModel } from "./scripted-model.ts";
import { talkWithClient } from "./talk-with-client.ts";

// A zero byte before a digit would read as an octal number.
const SLEEPER = ["sleep", "1000", ""].join("\0");

/** What a session is told after its client was killed: rows of the table in docs/guide/recovery.md. */
export const crashChecks: Check[] = [
  {
    name: "crash: an agent that died of an API error is told as failed",
    async run(home) {
      await using model = await startScriptedModel({
        main: [[agentCalled("the bad agent")], { after: never, content: [] }],
        agent: Array.from({ length: 9 }, () => ({ error: "the prompt is bad" })),
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      talk.begin("Start it");
      const { agent_id: id, transcript = "" } = await launchOf(home, "the bad agent");
      await waitFor(
        () =>
          fs.existsSync(transcript) &&
          fs.readFileSync(transcript, "utf8").includes("isApiErrorMessage") &&
          metaOf(transcript).includes("finished"),
        LONG,
      );
      await talk.kill();
      const [text = ""] = await resumed(home, talk.sessionId);
      const brief = briefIn({ text });
      return [
        ...missing(brief, [`agent ${id}`, ": failed, started", "the prompt is bad"]),
        ...(/the bad agent[^;]*completed/.test(brief) ? ["it is told as completed"] : []),
      ];
    },
  },
  {
    name: "crash: an agent that the user stopped is told as stopped, and may be launched again without a warning",
    async run(home) {
      await using model = await startScriptedModel({
        main: [
          [agentCalled("the stopped agent")],
          ["Started."],
          [agentCalled("the stopped agent")],
          { after: never, content: [] },
        ],
        agent: [
          { after: never, content: [] },
          { after: never, content: [] },
        ],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      await talk.say("Start it");
      const { agent_id: id, transcript = "" } = await launchOf(home, "the stopped agent");
      await waitFor(() => model.asked.some(({ asker }) => asker === "agent"), LONG);
      talk.control({ subtype: "interrupt" });
      await waitFor(() => metaOf(transcript).includes("stoppedByUser"), LONG);
      talk.begin("Start it again");
      await waitFor(() => model.main.length === 4, LONG);
      await talk.kill();
      const again = model.main.at(-1)?.text ?? "";
      const [text = ""] = await resumed(home, talk.sessionId);
      const told = again + briefIn({ text });
      return [
        ...(again.includes("the same work") ? ["the second launch was warned of"] : []),
        ...missing(briefIn({ text }), [`agent ${id}`, "stopped by the user"]),
        ...(new RegExp(`${id}[^\\n]*: running`).test(told) ? ["it is told as running"] : []),
      ];
    },
  },
  {
    name: "crash: a daemon of another command does not keep a finished one running",
    async run(home) {
      const door = gate(home);
      const pidFile = path.join(home.userHome, "daemon.pid");
      const daemon = `nohup sleep 1000 >/dev/null 2>&1 & echo $! > ${pidFile}`;
      await using model = await startScriptedModel({
        main: [
          [{ tool: "Bash", input: { command: daemon, description: "the daemon" } }],
          [inBackground(`${door.command}; echo all done`, "the command")],
          { after: never, content: [] },
        ],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      talk.begin("Start them");
      const { agent_id: id, output_file: output } = await launchOf(home, "the command");
      await talk.kill();
      door.open();
      await waitFor(() => fs.readFileSync(output, "utf8").includes("all done") && !isOpen(output), LONG);
      const [text = ""] = await resumed(home, talk.sessionId);
      process.kill(Number(fs.readFileSync(pidFile, "utf8")));
      return [
        ...missing(briefIn({ text }), [`command ${id}`, "no longer runs", "all done"]),
        ...(briefIn({ text }).includes("Running now") ? ["the daemon counts as the command"] : []),
      ];
    },
  },
  {
    name: "crash: a command that replaced its shell and sent its output elsewhere runs on, and its end is told",
    async run(home) {
      await using model = await startScriptedModel({
        main: [
          [inBackground("exec sleep 1000 >/dev/null 2>&1", "the server")],
          { after: never, content: [] },
        ],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      talk.begin("Start it");
      const { agent_id: id } = await launchOf(home, "the server");
      await talk.kill();
      const heard = await resumed(home, talk.sessionId, {
        prompts: ["What happened?", () => endServers(), "And now?"],
      });
      const [first = "", second = ""] = heard;
      return [
        ...missing(briefIn({ text: first }), ["Running now (1)", `command ${id}`, "session marker of pid"]),
        ...(timesTold(second, id) === 1 ? [] : [`its end was told ${timesTold(second, id)} times`]),
      ];
    },
  },
  {
    name: "crash: work that was running at the resume and ends during the session is told at its next turn, once",
    async run(home) {
      const door = gate(home);
      await using model = await startScriptedModel({
        main: [
          [inBackground(`${door.command}; echo all done`, "the command")],
          { after: never, content: [] },
        ],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      talk.begin("Start it");
      const { agent_id: id, output_file: output } = await launchOf(home, "the command");
      await talk.kill();
      const finish = async (): Promise<void> => {
        door.open();
        await waitFor(() => fs.readFileSync(output, "utf8").includes("all done") && !isOpen(output), LONG);
      };
      const [first = "", second = "", third = ""] = await resumed(home, talk.sessionId, {
        prompts: ["What happened?", finish, "And now?", "And then?"],
      });
      return [
        ...missing(briefIn({ text: first }), ["Running now (1)", `command ${id}`]),
        ...missing(second, [`(notice n-${id})`, "all done"]),
        ...(timesTold(third, id) === 1 ? [] : [`its end was told ${timesTold(third, id)} times`]),
      ];
    },
  },
  {
    name: "crash: what only runs is told with what the client's own notice of it is worth",
    async run(home) {
      const door = gate(home);
      await using model = await startScriptedModel({
        main: [[inBackground(door.command, "the command")], { after: never, content: [] }],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      talk.begin("Start it");
      await launchOf(home, "the command");
      await talk.kill();
      const [text = ""] = await resumed(home, talk.sessionId);
      door.open();
      return missing(briefIn({ text }), ["Running now (1)", "was made without looking"]);
    },
  },
  {
    name: "crash: work that no hook told of is found by looking and told once, as `recover --brief --session` prints it",
    async run(home) {
      const door = gate(home);
      await using model = await startScriptedModel({
        main: [
          [
            inBackground(`${door.command}; echo all done`, "the command"),
            inBackground("sleep 1000", "the other command"),
            agentCalled("the agent"),
          ],
          { after: never, content: [] },
        ],
        agent: [{ after: never, content: [] }],
      });
      // Without the plugin.
      const talk = talkWithClient(home, { cwd: home.cwd, modelUrl: model.url });
      talk.begin("Start them");
      await waitFor(() => model.main.length === 2, LONG);
      await waitFor(() => model.asked.some(({ asker }) => asker === "agent"), LONG);
      const idOf = (use: string): string =>
        new RegExp(`"${use}","type":"tool_result","content":"[^"]*ID: (b\\w+)`).exec(
          model.main[1]?.text ?? "",
        )?.[1] ?? "none";
      const [command, other] = [idOf("toolu_1_0"), idOf("toolu_1_1")];
      const agent = /agentId: (a\w+) /.exec(model.main[1]?.text ?? "")?.[1] ?? "none";
      await talk.kill();
      door.open();
      const tmp = path.join(home.userHome, "tmp", `claude-${process.getuid?.() ?? 0}`);
      const output = (): string =>
        fs
          .readdirSync(tmp, { recursive: true, encoding: "utf8" })
          .find((name) => name.endsWith(`${command}.output`)) ?? "";
      await waitFor(() => !isOpen(path.join(tmp, output())), LONG);
      const printed = briefPrinted(home, talk.sessionId);
      const [first = "", second = ""] = await resumed(home, talk.sessionId, {
        prompts: ["What happened?", "And now?"],
      });
      const [third = ""] = await resumed(home, talk.sessionId);
      await endServers();
      return [
        ...missing(briefIn({ text: first }), [
          command,
          "no longer runs",
          "all done",
          other,
          "Running now (1)",
          agent,
        ]),
        ...[command, agent]
          .filter((id) => timesTold(third, id) !== 1)
          .map((id) => `${id} was told ${timesTold(third, id)} times`),
        ...(timesTold(second, command) === 1 ? [] : ["it was told again with the next prompt"]),
        ...compareBriefs(printed, briefIn({ text: first })),
      ];
    },
  },
];

function metaOf(transcript: string): string {
  const file = transcript.replace(".jsonl", ".meta.json");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
}

function briefPrinted(home: Parameters<Check["run"]>[0], sessionId: string | undefined): string {
  return holdfast(home, ["recover", "--brief", "--session", sessionId ?? ""]).stdout;
}

// They were made at different times: what is told is the same, the ages are not.
function compareBriefs(printed: string, told: string): string[] {
  const ids = (text: string): string[] =>
    [...text.matchAll(/(?:\\n|\n)- (?:command|agent) (\w+)[^\n]*?: (no longer runs|running|\w+)/g)].map(
      ([, id, status]) => `${id} ${status}`,
    );
  const [ours, theirs] = [ids(printed), ids(told)].map((each) => JSON.stringify(each));
  return ours === theirs ? [] : [`recover --brief prints ${ours}, the session was told ${theirs}`];
}

async function endServers(): Promise<void> {
  const servers = processes(SLEEPER);
  for (const pid of servers) process.kill(Number(pid), "SIGKILL");
  await waitFor(() => processes(SLEEPER).length === 0, LONG);
}
