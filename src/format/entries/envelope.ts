import { z } from "zod";

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

type TextMaybe = z.ZodExactOptional<z.ZodString>;
type FlagMaybe = z.ZodExactOptional<z.ZodBoolean>;

export interface EnvelopeShape {
  uuid: z.ZodString;
  parentUuid: z.ZodExactOptional<z.ZodNullable<z.ZodString>>;
  timestamp: TextMaybe;
  sessionId: TextMaybe;
  cwd: TextMaybe;
  version: TextMaybe;
  gitBranch: TextMaybe;
  isSidechain: FlagMaybe;
  agentId: TextMaybe;
  userType: TextMaybe;
  slug: TextMaybe;
  entrypoint: TextMaybe;
  teamName: TextMaybe;
  isMeta: FlagMaybe;
}

const textMaybe = z.string().exactOptional();
const flagMaybe = z.boolean().exactOptional();

const envelopeShape: EnvelopeShape = {
  uuid: z.string().min(1),
  parentUuid: z.string().nullable().exactOptional(),
  timestamp: textMaybe,
  sessionId: textMaybe,
  cwd: textMaybe,
  version: textMaybe,
  gitBranch: textMaybe,
  isSidechain: flagMaybe,
  agentId: textMaybe,
  userType: textMaybe,
  slug: textMaybe,
  entrypoint: textMaybe,
  teamName: textMaybe,
  isMeta: flagMaybe,
};

/** A node's schema: the envelope and its own keys; every other key passes. */
export function nodeSchema<const Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<EnvelopeShape & Shape, z.core.$loose> {
  return z.looseObject({ ...envelopeShape, ...shape });
}
