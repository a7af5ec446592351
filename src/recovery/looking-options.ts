import type { Clock } from "../lib/clock.ts";
import type { OpenOutputs } from "./open-outputs.ts";
import type { LookMoved } from "./recovered-item.ts";

/** Where work is looked for that no hook told of, and for whom. */
export interface LookingOptions {
  configDir: string;
  projectDir?: string | undefined;
  /** The session that is to be told. Of its own work also what has ended is found, of that of others only what has not. */
  sessionId?: string | undefined;
  /** Where the client may keep what its commands print. */
  tempDirs: readonly string[];
  clock: Clock;
  openOutputs: OpenOutputs;
  lookMoved: LookMoved;
  /** Ids that are known already. */
  known: ReadonlySet<string>;
}
