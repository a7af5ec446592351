import { waitFor } from "../support/wait-for.ts";
import type { Check } from "./checks.ts";
import {
  briefIn,
  inBackground,
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

// A zero byte before a digit would read as an octal number.
const SLEEPER = ["sleep", "1000", ""].join("\0");
const script = `export const meta = { name: 'count', description: 'Counts the files', phases: [{ title: 'One' }] };
const first = await agent('Count the files', { label: 'one', phase: 'One' });
const second = await agent('Count the folders', { label: 'two', phase: 'One' });
return { first, second };`;

/** Work that is neither a command nor an agent, and commands that are run again: rows of the table in docs/guide/recovery.md. */
export const otherWorkChecks: Check[] = [
  {
    name: "other work: a Monitor whose client was killed runs on unheard, and its end is told",
    async run(home) {
      const monitor = { command: "echo event; sleep 1000", description: "the monitor", timeout_ms: 600_000 };
      await using model = await startScriptedModel({
        main: [[{ tool: "Monitor", input: monitor }], { after: never, content: [] }],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url, args: ["--allowedTools", "Monitor"] });
      talk.begin("Watch it");
      const { agent_id: id } = await launchOf(home, "the monitor");
      await waitFor(() => processes(SLEEPER).length > 0, LONG);
      await talk.kill();
      const [first = "", second = ""] = await resumed(home, talk.sessionId, {
        prompts: ["What happened?", endSleepers, "And now?"],
      });
      return [
        ...missing(briefIn({ text: first }), [
          "Running now (1)",
          `monitor ${id}`,
          "nobody hears of what it prints",
        ]),
        ...(timesTold(second, id) === 1 ? [] : [`its end was told ${timesTold(second, id)} times`]),
      ];
    },
  },
  {
    name: "other work: a Workflow whose client was killed is lost, with how far it was",
    async run(home) {
      await using model = await startScriptedModel({
        main: [[{ tool: "Workflow", input: { script } }], { after: never, content: [] }],
        agent: [["There are 4711 files."], { after: never, content: [] }],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url, args: ["--allowedTools", "Workflow"] });
      talk.begin("Use a workflow");
      const { agent_id: id } = await launchOf(home, "Counts the files");
      await waitFor(() => model.asked.filter(({ asker }) => asker === "agent").length === 2, LONG);
      await talk.kill();
      const [text = "", again = ""] = await resumed(home, talk.sessionId, {
        prompts: ["What happened?", "And now?"],
      });
      return [
        ...missing(briefIn({ text }), [
          `workflow ${id}`,
          "no longer runs",
          "1 of the 2 agents",
          "can be resumed",
        ]),
        ...(timesTold(again, id) === 1 ? [] : [`it was told ${timesTold(again, id)} times`]),
      ];
    },
  },
  {
    name: "other work: a command that runs in the background is noticed when it is run again in the foreground",
    async run(home) {
      await using model = await startScriptedModel({
        main: [
          [inBackground("until [ -e /nowhere ]; do sleep 0.1; done", "the command")],
          {
            after: () => launchOf(home, "the command"),
            content: [
              {
                tool: "Bash",
                input: { command: "until [ -e /nowhere ];  do sleep 0.1; done", timeout: 1000 },
              },
            ],
          },
        ],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      talk.begin("Run it twice");
      const { agent_id: id } = await launchOf(home, "the command");
      await waitFor(() => model.main.length === 3, LONG);
      await talk.kill();
      return missing(model.main[2]?.text ?? "", ["the same work is running already", id]);
    },
  },
];

async function endSleepers(): Promise<void> {
  const sleepers = (): string[] => processes(SLEEPER);
  for (const pid of sleepers()) process.kill(Number(pid), "SIGKILL");
  await waitFor(() => sleepers().length === 0, LONG);
}
