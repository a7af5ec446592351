import fs from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { agentNames } from "../../agents/runners/find-agents.ts";
import { configSchema, settings } from "./config-schema.ts";
import { whatIsWrong } from "./schema.ts";

const file = new URL("../../../docs/config.schema.json", import.meta.url);

test("docs/config.schema.json is what Holdfast checks settings by (UPDATE_SCHEMA=1 writes it)", () => {
  const text = `${JSON.stringify(
    {
      title: "Settings of Holdfast",
      ...configSchema,
    },
    null,
    2,
  )}\n`;
  if (process.env["UPDATE_SCHEMA"]) fs.writeFileSync(file, text);
  expect(JSON.parse(fs.readFileSync(file, "utf8"))).toEqual(JSON.parse(text));
});

test("the agents that a setting may name are those that are known", () => {
  expect(settings.get("agent")?.enum).toEqual(["anthropic", ...agentNames]);
});

// Another reader of the same schema: what one takes the other takes.
test.each([
  [{}, true],
  [{ own: 1, agent: "codex", model: "m", permission: "rules", keep: true }, true],
  [{ limits: { maxTurns: 1, maxTokens: 2, maxCost: 0.5, timeout: "1.5h" } }, true],
  [{ prices: { constructor: { input: 1, output: 2, cacheRead: 0 } } }, true],
  [{ fleet: { servers: ["nats://a"], keys: "/k" }, hooks: { duplicateLaunch: "off" } }, true],
  [[], false],
  [{ agent: "emacs" }, false],
  [{ model: "" }, false],
  [{ limits: { maxTurns: 0 } }, false],
  [{ limits: { maxTurns: 1.5 } }, false],
  [{ limits: { maxCost: 0 } }, false],
  [{ limits: { timeout: "soon" } }, false],
  [{ limits: { timeout: "0s" } }, false],
  [{ prices: { m: { input: 1 } } }, false],
  [{ prices: { m: { input: 1, output: -1 } } }, false],
  [{ prices: { m: { input: 1, output: 1, cash: 1 } } }, false],
  [{ fleet: { servers: ["a", 1] } }, false],
])("whatIsWrong() and a reader of JSON Schema agree about %j", (config, isRight) => {
  const other = z.fromJSONSchema(JSON.parse(fs.readFileSync(file, "utf8")));
  expect([whatIsWrong(config, configSchema, "") === undefined, other.safeParse(config).success]).toEqual([
    isRight,
    isRight,
  ]);
});
