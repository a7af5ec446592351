import type { Clock } from "../lib/clock.ts";
import type { LaunchLine } from "./manifest-line.ts";

/** Who asks what has become of background work, and where it is looked for. */
export interface RecoverOptions {
  home: string;
  /** The client's config folder. */
  configDir: string;
  clock: Clock;
  /** The project; without it, all of them. */
  projectDir?: string | undefined;
  /** For whom: what was told to this session is not told again, and what belongs to another living one is left to it. */
  sessionId?: string | undefined;
  /** The transcript of that session; by default where the client keeps it. */
  transcript?: string | undefined;
  /** Where the client may keep what its commands print. */
  tempDirs?: readonly string[] | undefined;
  /** Also what this session was told before, as much as a brief names. */
  withSeen?: boolean | undefined;
  /** Only these launches are looked at. */
  only?: ((launch: LaunchLine) => boolean) | undefined;
}
