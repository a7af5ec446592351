import { z } from "zod";
import { documentRoles } from "../../search/document-role.ts";
import type { HitView } from "./hit-view.ts";

export const hitSchema: z.ZodType<HitView> = z.strictObject({
  sessionId: z.string().nullable(),
  project: z.string(),
  cwd: z.string().nullable(),
  uuid: z.string().nullable(),
  agentId: z.string().nullable(),
  taskId: z.string().nullable(),
  role: z.enum(documentRoles),
  type: z.string(),
  timestamp: z.string().nullable(),
  snippet: z.string(),
  highlights: z.array(z.strictObject({ start: z.number(), end: z.number() })),
  score: z.number(),
  path: z.string().nullable(),
});
