import { describe, expect, test } from "vitest";
import type { FleetOverview } from "../../src/fleet/runs/fleet-overview.ts";
import { taskOutputTool } from "../../src/agents/runners/anthropic/tools/task-output.ts";
import { fleetScreen } from "../../src/doors/cli/commands/fleet/status.ts";
import { makeStyle } from "../../src/doors/cli/render/style.ts";
import { playing } from "../e2e/chat-terminal.ts";
import { run } from "../e2e/cli.ts";
import { connectMcp } from "../e2e/mcp-client.ts";
import { callTool, toolContext } from "../support/call-tool.ts";
import { openTestTasks } from "../support/open-test-tasks.ts";
import { reportAttack } from "./attack-size.ts";
import { hostileHome, hostiles, ownControls, sessionId, tags, unseen } from "./hostile-home.ts";

describe("text of tasks and agents", () => {
  test.each(hostiles)("reaches screens and models only clean: %j", { timeout: 300_000 }, async (hostile) => {
    await using home = hostileHome(hostile);
    let reached = 0;
    const check = (what: string, text: string, patterns: RegExp[]): void => {
      expect([what, text.includes("obey")]).toEqual([what, true]);
      for (const pattern of patterns) expect([what, pattern.exec(text)?.[0]]).toEqual([what, undefined]);
      reached++;
    };
    const steps = [
      { tool: "Bash", input: { command: hostile, [hostile]: hostile }, result: hostile },
      { todos: [{ content: hostile, status: "in_progress" as const, activeForm: hostile }] },
      { activity: hostile },
      { text: hostile },
    ];
    const shell = await home.start("--description", hostile, "--", "printf", "%s", hostile);
    const agent = await home.holdfast(
      "agent",
      ...playing({ "Look obey": steps }),
      "--description",
      hostile,
      "--wait",
      "Look obey",
    );
    expect(agent.code).toBe(0);
    await home.untilEnded(shell);
    const tasks = await home.json<{ tasks: { id: string }[] }>("ps", "-a");
    const ids = tasks.tasks.map(({ id }) => id).filter((id) => /^[ab][a-z0-9]+$/.test(id));
    const agentId = ids.find((id) => id !== shell && id.startsWith("a")) ?? "";

    const onTerminal = [
      ["logs", shell],
      ["output", shell],
      ["inspect", shell],
      ["logs", agentId],
      ["output", agentId],
      ["inspect", agentId],
      ["ps", "-a"],
      ["recover"],
    ];
    for (const words of onTerminal) {
      const terminal = home.spawnOnTerminal(words, { columns: 200, rows: 50 });
      await terminal.ended();
      const shown = terminal.screen.replace(ownControls, "");
      // Of a table and a list of facts every line is ours.
      const isOurs = words[0] === "inspect" || words[0] === "ps";
      check(`${words.join(" ")} on a terminal`, shown, [unseen, ...(isOurs ? [/^- forged/m] : [])]);
      check(`${words.join(" ")} --json`, (await home.holdfast(...words, "--json")).stdout, [unseen]);
    }
    for (const format of ["md", "html", "json"])
      check(`export ${format}`, (await home.holdfast("export", sessionId, "--format", format)).stdout, [
        unseen,
      ]);

    // It tells numbers only, whatever it is asked about.
    const input = JSON.stringify({ session_id: hostile, cwd: home.cwd });
    for (const options of [{}, { input }]) {
      const { stdout } = await run(["statusline"], { home, ...options });
      expect(stdout).toMatch(/^(?:⚓ [a-z0-9 ·]+)?\n$/);
    }

    const chat = home.spawnOnTerminal(["chat", ...playing({ hello: [...steps, { text: "All is said." }] })], {
      columns: 120,
      rows: 40,
    });
    await chat.shows("Ask anything");
    chat.type("hello");
    await chat.shows("hello");
    chat.type("\r");
    await chat.shows("All is said.");
    chat.type("\u0004");
    expect(await chat.ended()).toBe(0);
    check("chat", chat.screen.replace(ownControls, ""), [unseen]);

    const overview = hostileFleet(hostile);
    const lines = fleetScreen(overview, { style: makeStyle({ hasColor: false }), isAll: true, columns: 250 });
    check("fleet status", lines.join("\n"), [unseen]);
    // A heading, and two tables of a title and a row each: nobody has made a line of his own.
    expect(lines.join("\n").split("\n")).toHaveLength(7);

    const { tasks: library } = openTestTasks({ home: home.home, configDir: home.configDir });
    const place = toolContext({
      cwd: home.cwd,
      tasks: {
        ...toolContext().tasks,
        output: (id: string) => library.output(id, { block: false, by: "x" }),
      },
    });
    for (const id of [shell, agentId]) {
      const { content } = await callTool(taskOutputTool, { task_id: id }, place);
      if (typeof content !== "string") throw new Error("Cannot go on: TaskOutput answers with blocks");
      check(`TaskOutput ${id}`, content, [unseen, tags]);
      expect(content.match(/<\/?output>/g)).toEqual(["<output>", "</output>"]);
      // A model must see what a task printed; only what it could take for the client's own is changed.
      for (const [markup] of hostile.matchAll(/<(?:img|script)[^>]*>/g)) expect(content).toContain(markup);
    }
    await library.close();

    await using client = await connectMcp(home);
    for (const [name, args] of [
      ["output", { id: shell }],
      ["output", { id: agentId }],
      ["wait", { id: shell }],
      ["status", { id: agentId }],
      ["list", { ended: true }],
      ["recover", {}],
      ["sessions", {}],
      ["search", { query: "obey" }],
    ] as const) {
      const answer = await client.ask("tools/call", { name, arguments: args });
      check(`MCP ${name}`, answer.content[0].text, [unseen, tags]);
    }
    reportAttack("texts of tasks", { "consumers reached": reached });
  });
});

/** What a worker that is not ours may say to the fleet: nobody checks its words on the way. */
function hostileFleet(hostile: string): FleetOverview {
  const at = new Date().toISOString();
  return {
    workers: [
      { schemaVersion: 1, id: hostile, host: hostile, pid: 1, slots: 1, busy: 0, labels: [hostile], at },
    ],
    sessions: [
      {
        schemaVersion: 1,
        sessionId: hostile,
        shard: 0,
        run: 1,
        queue: hostile,
        status: hostile as "queued",
        epoch: 1,
        worker: hostile,
        handOvers: 0,
        description: hostile,
        origin: { host: hostile, user: hostile, cwd: hostile },
        dispatchedAt: at,
        updatedAt: at,
      },
    ],
    queues: [],
    handOvers: 0,
  };
}
