import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { readConfig } from "./read-config.ts";

function homeWith(text: string | undefined): string {
  const home = tempDir();
  if (text !== undefined) fs.writeFileSync(path.join(home, "config.json"), text);
  return home;
}

test("readConfig() returns what is set, and nothing for a home without settings", () => {
  const config = {
    keep: true,
    prices: { m: { input: 1, output: 2 } },
    hooks: { duplicateLaunch: "ask" },
    fleet: { servers: ["nats://a"], keys: "/keys" },
    other: 1,
  };
  expect([homeWith(undefined), homeWith(JSON.stringify(config))].map((home) => readConfig({ home }))).toEqual(
    [{}, config],
  );
});

test.each([
  ["{", "it is not JSON"],
  ["[]", "it is not a JSON object; fix or remove it"],
  ['{"keep":"yes"}', '"keep" must be true or false; fix or remove it'],
  ['{"prices":[]}', '"prices" must be an object; fix or remove it'],
  ['{"hooks":1}', '"hooks" must be an object; fix or remove it'],
  [
    '{"hooks":{"duplicateLaunch":"no"}}',
    '"hooks.duplicateLaunch" must be one of warn, ask, off; fix or remove it',
  ],
  ['{"fleet":"nats://a"}', '"fleet" must be an object; fix or remove it'],
  ['{"fleet":{"servers":"nats://a"}}', '"fleet.servers" must be a list; fix or remove it'],
  ['{"fleet":{"ca":true}}', '"fleet.ca" must be text; fix or remove it'],
])("readConfig() refuses %s and says what to do", (text, why) => {
  const home = homeWith(text);
  const file = path.join(home, "config.json");
  expect(() => readConfig({ home })).toThrow(
    expect.objectContaining({
      code: "config_invalid",
      message: expect.stringContaining(`Cannot use settings "${file}": ${why}`) as string,
    }),
  );
});
