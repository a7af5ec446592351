import { z } from "zod";
import type { Api } from "../api/index.ts";
import type { ProjectQuery, SessionQuery, TranscriptQuery, ViewQuery } from "../api/session-routes.ts";
import { flag, pageQuery, wholeNumber } from "../query-values.ts";

// What routes of sessions take in their query.

const text = z.string().min(1).max(4096);
const id = z.string().min(1).max(200);
const ofProject = { project: id.exactOptional() };
const ofTranscript = { ...ofProject, agent: id.exactOptional() };
const ofConversation = {
  ...ofTranscript,
  view: z.enum(["whole", "context"]).exactOptional(),
  leaf: id.exactOptional(),
};

export const projectQuery: z.ZodType<ProjectQuery> = z.strictObject(ofProject);
export const transcriptQuery: z.ZodType<TranscriptQuery> = z.strictObject(ofTranscript);
export const conversationQuery: z.ZodType<TranscriptQuery & ViewQuery> = z.strictObject(ofConversation);
export const rowsQuery: z.ZodType<Api["GET /api/sessions/{id}/rows"]["query"]> = z.strictObject({
  ...ofConversation,
  from: wholeNumber.exactOptional(),
  around: id.exactOptional(),
  limit: wholeNumber.exactOptional(),
});
export const endQuery: z.ZodType<Api["GET /api/sessions/{id}/end"]["query"]> = z.strictObject({
  ...ofTranscript,
  limit: wholeNumber.exactOptional(),
});
export const findQuery: z.ZodType<Api["GET /api/sessions/{id}/find"]["query"]> = z.strictObject({
  ...ofConversation,
  q: z.string().min(1).max(1000),
  isRegex: flag.exactOptional(),
});
export const sessionQuery: z.ZodType<SessionQuery> = z.strictObject({
  ...pageQuery,
  ...ofProject,
  cwd: text.exactOptional(),
  tag: text.exactOptional(),
  q: z.string().max(1000).exactOptional(),
  archived: flag.exactOptional(),
});
export const diffQuery: z.ZodType<Api["GET /api/sessions/{id}/diff"]["query"]> = z.strictObject({
  ...ofProject,
  from: id.exactOptional(),
  to: id.exactOptional(),
  path: text.exactOptional(),
});
export const exportQuery: z.ZodType<Api["GET /api/sessions/{id}/export"]["query"]> = z.strictObject({
  ...ofProject,
  format: z.enum(["md", "html", "json"]).exactOptional(),
  leaf: id.exactOptional(),
  withSecrets: flag.exactOptional(),
});
