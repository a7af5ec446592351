import type { Clock } from "../lib/clock.ts";
import type { Suggestion } from "../lib/suggestion.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import type { Backup } from "./repair/open-backup.ts";
import type { ExaminedTranscripts } from "./transcripts/examine-transcripts.ts";

/** One question about the health of a home. Adding one is a file in checks/ and a line in check-list.ts. */
export interface HealthCheck {
  /** In kebab-case; programs and people name the check by it. */
  name: string;
  group: "environment" | "tasks" | "sessions";
  /** Undefined where there is nothing to ask about. */
  run: (context: HealthContext) => Answer | Promise<Answer>;
}

type Answer = CheckResult | undefined;

export interface HealthContext {
  home: string;
  /** The user's settings, where they are not in the home. */
  settingsFile?: string | undefined;
  configDir: string;
  /** The folder whose project is asked about, where a check is about one. */
  cwd: string;
  clock: Clock;
  /** Called when the index cannot be used, so that an answer comes from the files and takes longer. */
  onIndexTrouble?: ((trouble: IndexTrouble) => void) | undefined;
  /** Asked by all checks of sessions; the first one that asks does the work. */
  transcripts(): Promise<ExaminedTranscripts>;
}

export interface CheckResult {
  /** `warn`: worth knowing, nothing is lost yet. `fail`: something is broken. */
  status: "ok" | "warn" | "fail";
  /** One line, without a period. */
  summary: string;
  findings?: readonly Finding[];
  /** What ends it. */
  suggestion?: Suggestion;
  repairs?: readonly Repair[];
}

/** One thing that a check found. */
export interface Finding {
  text: string;
  path?: string;
  sessionId?: string;
  taskId?: string;
}

/** What `--repair` would do about a finding. Nothing happens before `run`. */
export interface Repair {
  /** What is changed; two checks that name the same path mean the same repair. */
  path: string;
  text: string;
  run: (backup: Backup) => Promise<void> | void;
}
