import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../test/support/index.ts";
import { agentStart, type AgentStart, type AskedOfAgent } from "./agent-start.ts";

function start(settings: object, asked: AskedOfAgent, project: object = {}): AgentStart {
  const home = tempDir();
  const cwd = tempDir();
  fs.writeFileSync(path.join(home, "config.json"), JSON.stringify(settings));
  fs.mkdirSync(path.join(cwd, ".holdfast"));
  fs.writeFileSync(path.join(cwd, ".holdfast", "config.json"), JSON.stringify(project));
  return agentStart({ home, variables: {} }, asked, { cwd });
}

const mine = { agent: "codex", model: "big", limits: { maxCost: 2, timeout: "10m" } };

test.each([
  [{}, { agent: "codex", model: "big" }],
  [{ agent: "codex" }, { agent: "codex", model: "big" }],
  [{ model: "small" }, { agent: "codex", model: "small" }],
  // A model of one agent is none of another.
  [{ agent: "gemini" }, { agent: "gemini" }],
  [{ command: "my-agent" }, { command: "my-agent" }],
  [{ script: "a.json" }, { script: "a.json" }],
  [{ type: "Explore" }, { agent: "codex" }],
])(
  "agentStart() gives who asks for %j the agent and model of the settings where they fit",
  (asked, chosen) => {
    expect(start(mine, asked)).toEqual({
      ...chosen,
      permission: "ask",
      limits: { maxCostUsd: 2 },
      timeoutMs: 600_000,
    });
  },
);

test("agentStart() takes what was asked for before what is set, up to what the folder allows", () => {
  const limits = { maxTurns: 9, maxCostUsd: 5 };
  expect(start(mine, { limits, timeoutMs: 1000, permission: "allow" })).toMatchObject({
    limits,
    timeoutMs: 1000,
    permission: "allow",
  });
  const project = { permission: "rules", limits: { maxCost: 1, maxTurns: 10, timeout: "5m" } };
  expect(start({ permission: "allow", ...mine }, {}, project)).toMatchObject({
    permission: "rules",
    limits: { maxCostUsd: 1, maxTurns: 10 },
    timeoutMs: 300_000,
  });
  expect(start({}, { permission: "deny", limits: { maxTurns: 10 } }, project).permission).toBe("deny");
});

test.each<[AskedOfAgent, string]>([
  [{ permission: "allow" }, "permission allow"],
  [{ limits: { maxCostUsd: 1.5 } }, "limits.maxCost 1.5"],
  [{ timeoutMs: 600_000 }, "limits.timeout 600000ms"],
])("agentStart() refuses %j where the folder allows less", (asked, what) => {
  const project = { permission: "rules", limits: { maxCost: 1, timeout: "5m" } };
  expect(() => start({}, asked, project)).toThrow(
    expect.objectContaining({
      code: "setting_refused",
      message: expect.stringContaining(`Cannot use ${what}: `) as string,
    }),
  );
});
