import fs from "node:fs";
import { waitFor } from "../support/wait-for.ts";
import type { Check } from "./checks.ts";
import {
  agentCalled,
  briefIn,
  inBackground,
  launchOf,
  LONG,
  never,
  processes,
  resumed,
  talkWithPlugin,
  timesTold,
} from "./plugin-world.ts";
import { startScriptedModel } from "./scripted-model.ts";

/** Clients that end in other ways than by kill -9: rows of the table in docs/guide/recovery.md. */
export const endChecks: Check[] = (["SIGTERM", "SIGINT", "SIGHUP", "its input closes"] as const).map(
  (way) => ({
    name: `end: after ${way} a command and an agent are told once, as they ended, and not as running`,
    async run(home) {
      await using model = await startScriptedModel({
        main: [[inBackground("sleep 1000", "the command"), agentCalled("the agent")]],
        agent: [{ after: never, content: [] }],
      });
      const talk = talkWithPlugin(home, { modelUrl: model.url });
      await talk.say("Start them");
      const command = await launchOf(home, "the command");
      const agent = await launchOf(home, "the agent");
      await waitFor(() => fs.existsSync(agent.transcript ?? ""), LONG);
      if (way === "its input closes") await talk.end();
      else await talk.kill(way);
      const left = processes(["sleep", "1000", ""].join("\0")).length;
      const [text = "", again = ""] = await resumed(home, talk.sessionId, {
        prompts: ["What happened?", "And now?"],
      });
      const byClient = (id: string): number => again.split(`<task-id>${id}</task-id>`).length - 1;
      const isFalse = left === 0 && briefIn({ text }).includes("Running now");
      const problems = isFalse ? ["it is told that something runs"] : [];
      for (const { agent_id: id, description } of [command, agent]) {
        const times = timesTold(again, id);
        if (times > 1) problems.push(`"${description}" was told ${times} times`);
        if (times + byClient(id) === 0) problems.push(`"${description}" was told by nobody`);
      }
      return problems;
    },
  }),
);
