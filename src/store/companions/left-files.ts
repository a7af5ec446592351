import { storeError } from "../errors.ts";
import {
  listLargeOutputs,
  pieceOf,
  readLargeOutput,
  type LargeOutput,
  type LargeOutputPiece,
} from "./large-outputs.ts";
import { readPlans, type PlansOptions } from "./plans.ts";
import type { CompanionProblem } from "./read-companion.ts";
import { readSessionEnv } from "./session-env.ts";

/** A file that a session left beside its transcript, to be read as it is. */
export interface LeftFile {
  /** `environment`: what a hook left for the shells of the session; it may hold secrets. */
  kind: "plan" | "environment" | LargeOutput["kind"];
  name: string;
  path: string;
  bytes: number;
  updatedAt: string;
}

export interface LeftFiles {
  /** Plans in the order in which they were begun, environments by name, then large outputs, the oldest first. */
  companions: LeftFile[];
  problems: CompanionProblem[];
}

export interface ReadLeftFileOptions extends Pick<LeftFile, "kind" | "name"> {
  /** In bytes; 0 by default. */
  offset?: number | undefined;
  /** At most 1 MB, which is the default. */
  bytesMax?: number | undefined;
}

export async function listLeftFiles(options: PlansOptions): Promise<LeftFiles> {
  const { configDir, session } = options;
  const plans = await readPlans(options);
  const environment = readSessionEnv({ configDir, sessionId: session.sessionId });
  const large = listLargeOutputs({ configDir, session });
  return {
    companions: [
      ...plans.plans.map(({ slug, ...plan }) => small("plan", { ...plan, name: `${slug}.md` })),
      ...environment.files.map((file) => small("environment", file)),
      ...large.outputs.map(({ writtenAt: updatedAt, ...output }) => ({ ...output, updatedAt })),
    ],
    problems: [...plans.problems, ...environment.problems, ...large.problems],
  };
}

/** A piece of one of them. Throws `companion_not_found`. */
export async function readLeftFile(
  options: PlansOptions,
  { kind, name, ...range }: ReadLeftFileOptions,
): Promise<LargeOutputPiece> {
  const { configDir, session } = options;
  if (kind === "mcp-output" || kind === "tool-result")
    return readLargeOutput({ configDir, session, kind, name, ...range });
  const texts =
    kind === "plan"
      ? (await readPlans(options)).plans.map(({ slug, text }) => ({ name: `${slug}.md`, text }))
      : readSessionEnv({ configDir, sessionId: session.sessionId }).files;
  const found = texts.find((each) => each.name === name);
  if (!found)
    throw storeError(
      "companion_not_found",
      `Cannot read ${kind} "${name}": session "${session.sessionId}" has none of this name`,
      { fields: { name } },
    );
  const whole = Buffer.from(found.text);
  return pieceOf(whole.length, range, ({ offset, length }) => whole.subarray(offset, offset + length));
}

function small(kind: LeftFile["kind"], file: Omit<LeftFile, "kind" | "bytes"> & { text: string }): LeftFile {
  const { name, path, updatedAt, text } = file;
  return { kind, name, path, bytes: Buffer.byteLength(text), updatedAt };
}
