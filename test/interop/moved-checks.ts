import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Terminal } from "../screens/terminal.ts";
import { waitFor } from "../support/wait-for.ts";
import type { Check, CheckHome } from "./checks.ts";
import {
  agentCalled,
  envOf,
  gate,
  holdfast,
  inBackground,
  launchOf,
  LONG,
  manifest,
  plugin,
} from "./plugin-world.ts";
import { environmentOf } from "./resume-with-client.ts";
import { startScriptedModel } from "./scripted-model.ts";

/** What becomes of work when a person leaves the client: rows of the table in docs/guide/recovery.md. */
export const movedChecks: Check[] = [
  {
    name: "moved: a session that moves to the background keeps its agent and its command, each in one state, told by the client",
    async run(home) {
      if (!hasTmux()) return ["needs tmux, which is not installed"];
      const door = gate(home);
      await using model = await startScriptedModel({
        main: [[agentCalled("the agent"), inBackground(`${door.command}; echo all done`, "the command")]],
        agent: [{ after: () => door.opened(), content: ["There are 4711 files."] }],
      });
      using terminal = clientAtTerminal(home, model.url);
      await terminal.shows(/manual mode on/);
      terminal.type("Start them");
      terminal.press("Enter");
      const agent = await launchOf(home, "the agent");
      const command = await launchOf(home, "the command");
      await waitFor(() => model.main.length >= 2, LONG);
      await terminal.shows(/Understood/);
      terminal.type("/exit");
      await terminal.shows(/\/exit/);
      terminal.press("Enter");
      await terminal.shows(/Move to background and exit/);
      terminal.press("Down");
      await terminal.shows(/❯ 2\. Move to background/);
      const client = terminal.pid;
      terminal.press("Enter");
      const problems = new Set<string>();
      const look = (): void => {
        const { running, lost, finishedUnseen } = JSON.parse(
          holdfast(home, ["recover", "--json"]).stdout,
        ) as Found;
        const places = [...running, ...lost, ...finishedUnseen].filter(
          ({ id }) => id === agent.agent_id,
        ).length;
        if (lost.some(({ id }) => id === agent.agent_id)) problems.add("recover says that the agent is lost");
        if (places > 1) problems.add("recover has the agent in two states");
      };
      const hasHeir = (): boolean =>
        manifest(home).some(
          (line) => line.agent_id === agent.agent_id && line.session_id !== agent.session_id,
        );
      // As often as it can be asked, while no process owns the agent and afterwards.
      await waitFor(() => {
        look();
        return !fs.existsSync(`/proc/${client}`) && hasHeir();
      }, LONG);
      for (let times = 0; times < 3; times++) look();
      const before = model.main.length;
      door.open();
      const told = (id: string): boolean =>
        model.main.slice(before).some(({ text }) => text.includes(`<task-id>${id}</task-id>`));
      await waitFor(() => told(agent.agent_id) && told(command.agent_id), LONG);
      look();
      const texts = model.main.map(({ text }) => text).join("\n");
      return [
        ...problems,
        ...[agent, command]
          .filter(({ agent_id: id }) => texts.includes(`(notice n-${id})`))
          .map(({ description }) => `Holdfast told the moved session of "${description}", too`),
      ];
    },
  },
];

interface Found {
  running: { id: string }[];
  lost: { id: string }[];
  finishedUnseen: { id: string }[];
}

function hasTmux(): boolean {
  return spawnSync("tmux", ["-V"]).status === 0;
}

/** The client as a person has it, past what it asks when it is new. */
function clientAtTerminal(home: CheckHome, modelUrl: string): Terminal {
  const env: Record<string, string> = {
    ...environmentOf(home, modelUrl),
    ...envOf(home),
    ENABLE_TOOL_SEARCH: "false",
    TERM: "xterm-256color",
  };
  const known = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [env["ANTHROPIC_API_KEY"]!.slice(-20)], rejected: [] },
    projects: { [home.cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  fs.writeFileSync(path.join(home.configDir, ".claude.json"), JSON.stringify(known), { mode: 0o600 });
  const args = ["--permission-mode", "manual", "--allowedTools", "Bash,Agent", "--plugin-dir", plugin];
  return new Terminal({ columns: 140, rows: 45, cwd: home.cwd, env, command: [home.client, ...args] });
}
