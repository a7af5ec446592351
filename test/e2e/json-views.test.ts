import { expect, test } from "vitest";
import { z } from "zod";
import { healthSchema } from "../../src/runtime/views/finding-schema.ts";
import { hitSchema } from "../../src/runtime/views/hit-schema.ts";
import { sessionSchema } from "../../src/runtime/views/session-schema.ts";
import { usageSchema } from "../../src/runtime/views/usage-schema.ts";
import { homeWithSession, runJson } from "./cli.ts";

/** What `--json` prints, without the keys that only the command line adds. */
async function printed(words: string[]): Promise<unknown> {
  const { home } = homeWithSession();
  const { json } = await runJson(words, { home });
  const { schemaVersion, ...rest } = json as unknown as Record<string, unknown>;
  expect(schemaVersion).toBe(1);
  return rest;
}

const counted = z.number().min(1);

test.each<[string, string[], z.ZodType]>([
  ["sessions", ["sessions"], z.strictObject({ sessions: z.array(sessionSchema).min(1) })],
  ["hits", ["search", "the"], z.strictObject({ hits: z.array(hitSchema).min(1), total: counted })],
  ["usage", ["usage", "--by", "model"], usageSchema],
])("--json prints %s as their schema says", async (_, words, schema) => {
  expect(schema.safeParse(await printed(words)).error).toBeUndefined();
});

test("--json prints findings as their schema says, and each suggestion as a command line beside it", async () => {
  const { checks, ...rest } = (await printed(["doctor"])) as { checks: Record<string, unknown>[] };
  const hooks = checks.find(({ name }) => name === "hooks");
  expect(hooks).toMatchObject({
    mend: "holdfast plugin install",
    suggestion: { verb: "plugin install" },
  });
  for (const check of checks) delete check["mend"];
  expect(healthSchema.safeParse({ ...rest, checks }).error).toBeUndefined();
});
