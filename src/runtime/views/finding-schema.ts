import { z } from "zod";
import type { HealthView } from "./finding-view.ts";

const status = z.enum(["ok", "warn", "fail"]);
const suggestion = z.union([
  z.strictObject({
    verb: z.string(),
    args: z.array(z.string()).exactOptional(),
    options: z.record(z.string(), z.union([z.string(), z.number(), z.literal(true)])).exactOptional(),
  }),
  z.strictObject({ program: z.string(), args: z.array(z.string()) }),
]);
const check = z.strictObject({
  name: z.string(),
  group: z.enum(["environment", "tasks", "sessions"]),
  status,
  summary: z.string(),
  suggestion: suggestion.nullable(),
  findings: z.array(
    z.strictObject({
      text: z.string(),
      path: z.string().exactOptional(),
      sessionId: z.string().exactOptional(),
      taskId: z.string().exactOptional(),
    }),
  ),
});

export const healthSchema: z.ZodType<HealthView> = z.strictObject({
  status,
  checks: z.array(check),
  repairs: z.array(z.strictObject({ path: z.string(), text: z.string() })),
});
