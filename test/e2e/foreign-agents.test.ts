import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { tempDir, waitFor } from "../support/index.ts";
import { markedProcesses } from "../support/task-world.ts";
import { taskHome, type TaskHome } from "./task-cli.ts";

const program = fileURLToPath(new URL("../programs/acp-agent.ts", import.meta.url));
const command = `'${process.execPath}' --disable-warning=ExperimentalWarning '${program}'`;

interface World {
  home: TaskHome;
  /** What the agent noted that it was asked. */
  log: () => string;
}

function world(more: Record<string, string> = {}): World {
  const file = path.join(tempDir(), "agent.log");
  const home = taskHome({ ACP_AGENT_LOG: file, ...more });
  return { home, log: () => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "") };
}

describe("holdfast agent --command", () => {
  test("runs an ACP agent to its answer, told by its type, and goes on in the same session of it", async () => {
    const { home, log } = world();
    await using _ = home;
    const agents = path.join(home.configDir, "agents");
    fs.mkdirSync(agents, { recursive: true });
    fs.writeFileSync(
      path.join(agents, "terse.md"),
      "---\nname: terse\ndescription: Says little\nmodel: large\n---\nSay little.\n",
    );
    const first = await home.holdfast("agent", "--command", command, "--type", "terse", "--json", "echo one");
    const { id } = JSON.parse(first.stdout) as { id: string };
    expect((await home.holdfast("wait", id)).code).toBe(0);
    expect((await home.holdfast("output", id)).stdout).toBe("one\n");
    expect(log()).toContain('prompt ["Say little.","echo one"]');
    expect(log()).toContain("model vendor/large");
    const resumed = await home.holdfast("resume", id, "echo two", "--wait");
    expect([resumed.code, resumed.stdout]).toEqual([0, "two\n"]);
    expect(log()).toContain("load session-1");
  });

  test("waits for an answer to its question, and records use and result", async () => {
    const { home, log } = world();
    await using _ = home;
    const { stdout } = await home.holdfast("agent", "--command", command, "ask rm x");
    const id = stdout.trim();
    await waitFor(async () => (await home.holdfast("ps")).stdout.includes("needs input"));
    const { needsInput } = await home.json<{ needsInput: { requestId: string } }>("inspect", id);
    expect((await home.holdfast("approve", id, "--request", needsInput.requestId)).code).toBe(0);
    expect((await home.holdfast("wait", id)).code).toBe(0);
    expect(log()).toContain("permission yes");
    const logs = await home.holdfast("logs", id);
    expect(logs.stdout).toContain("rm x");
    expect(logs.stdout).toContain("You chose yes");
  });

  test("tells why the agent failed, and stops one with all that it started", async () => {
    const { home, log } = world();
    await using _ = home;
    const crashed = await home.holdfast("agent", "--command", command, "--wait", "crash");
    expect(crashed.code).toBe(1);
    expect(crashed.stderr).toContain(
      `Cannot continue agent "${command}": it exited with code 3: out of luck`,
    );
    const { stdout } = await home.holdfast(
      "agent",
      "--command",
      command,
      "--permission",
      "allow",
      "hang deaf",
    );
    const id = stdout.trim();
    await waitFor(() => log().includes("hang deaf"));
    // The host and the agent.
    expect(markedProcesses(id).length).toBeGreaterThanOrEqual(2);
    expect((await home.holdfast("stop", id)).code).toBe(0);
    expect(markedProcesses(id)).toEqual([]);
  });

  test("refuses an agent that asks nobody before anything starts, unless everything is allowed", async () => {
    await using home = taskHome();
    const refused = await home.holdfast("agent", "--command", "pi-acp", "--permission", "deny", "echo one");
    expect(refused.code).toBe(4);
    expect(refused.stderr).toBe(
      'holdfast: Cannot run agent "pi-acp" under permission rules: it asks nobody before it acts; start it with --permission allow, or use another\n',
    );
    expect((await home.holdfast("ps", "--all")).stdout).not.toContain("pi-acp");
  });

  test("refuses a type that there is not, before anything starts", async () => {
    const { home, log } = world();
    await using _ = home;
    const refused = await home.holdfast("agent", "--command", command, "--type", "terser", "echo one");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(
      'Cannot find agent type "terser": the types are Explore, Plan, general-purpose',
    );
    expect(log()).toBe("");
  });
});

test("holdfast agent --agent codex runs the program on the PATH", async () => {
  const dir = tempDir();
  const lines = [
    { type: "thread.started", thread_id: "t-1" },
    { type: "item.completed", item: { id: "i1", type: "agent_message", text: "From Codex" } },
    { type: "turn.completed", usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2 } },
  ];
  const script = `#!/bin/sh\ncat > '${dir}/stdin'\necho "$@" > '${dir}/args'\ncat <<'END'\n${lines.map((line) => JSON.stringify(line)).join("\n")}\nEND\n`;
  fs.writeFileSync(path.join(dir, "codex"), script, { mode: 0o755 });
  await using home = taskHome({ PATH: `${dir}:${process.env["PATH"]}` });
  const { stdout, code } = await home.holdfast(
    "agent",
    "--agent",
    "codex",
    "--permission",
    "allow",
    "--wait",
    "Mend it",
  );
  expect([code, stdout]).toEqual([0, "From Codex\n"]);
  expect(fs.readFileSync(path.join(dir, "stdin"), "utf8")).toMatch(/Mend it$/);
  expect(fs.readFileSync(path.join(dir, "args"), "utf8")).toContain("--sandbox workspace-write");
});
