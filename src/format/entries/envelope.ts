import { z } from "zod";
import { maybe } from "./maybe.ts";

/**
 * What the nodes of the graph share. Only `uuid` is required: the client always writes the rest, but a
 * hand-made line that lacks it still holds a message worth reading.
 */
export interface EntryEnvelope {
  uuid: string;
  /** Null (or absent) at a root: the first line, a compaction boundary, an inline sub-agent. */
  parentUuid?: string | null;
  /** ISO 8601 with milliseconds. File order is not time order. */
  timestamp?: string;
  sessionId?: string;
  cwd?: string;
  version?: string;
  /** Empty outside a repository. */
  gitBranch?: string;
  /** True in sub-agent transcripts; it never marks an edited branch. */
  isSidechain?: boolean;
  /** Only in sub-agent transcripts. */
  agentId?: string;
  userType?: string;
  slug?: string;
  entrypoint?: string;
  teamName?: string;
  /** Injected by the client, not typed. */
  isMeta?: boolean;
}

const envelopeShape = {
  uuid: z.string().min(1),
  parentUuid: z.string().nullable().exactOptional(),
  ...maybe(z.string(), "timestamp", "sessionId", "cwd", "version", "gitBranch"),
  ...maybe(z.boolean(), "isSidechain", "isMeta"),
  ...maybe(z.string(), "agentId", "userType", "slug", "entrypoint", "teamName"),
} satisfies Record<keyof EntryEnvelope, z.ZodType>;

/** A node's schema: the envelope and its own keys; every other key passes. */
export function nodeSchema<const Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodType<EntryEnvelope & z.output<z.ZodObject<Shape, z.core.$loose>>> {
  const schema = z.looseObject({ ...envelopeShape, ...shape });
  // The compiler cannot follow the keys of an open shape; the tests of parseEntry do.
  return schema as unknown as ReturnType<typeof nodeSchema<Shape>>;
}
