import { z } from "zod";
import type { SessionView } from "./session-view.ts";

export const sessionSchema: z.ZodType<SessionView> = z.strictObject({
  sessionId: z.string(),
  project: z.string(),
  cwd: z.string().nullable(),
  path: z.string(),
  title: z.string().nullable(),
  tag: z.string().nullable(),
  firstPrompt: z.string().nullable(),
  messageCount: z.number().nullable(),
  agents: z.number().nullable(),
  gitBranch: z.string().nullable(),
  startedAt: z.string().nullable(),
  updatedAt: z.string(),
  bytes: z.number(),
  archived: z.boolean(),
});
