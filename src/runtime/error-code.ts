import type { RunnerErrorCode } from "../agents/runners/errors.ts";
import type { ConversationErrorCode } from "../conversation/errors.ts";
import type { FleetErrorCode } from "../fleet/errors.ts";
import type { HealthErrorCode } from "../health/errors.ts";
import type { RecoveryErrorCode } from "../recovery/errors.ts";
import type { SearchErrorCode } from "../search/errors.ts";
import type { StoreErrorCode } from "../store/errors.ts";
import type { TaskErrorCode } from "../tasks/errors.ts";
import type { UsageErrorCode } from "../usage/errors.ts";

/** The codes of the errors that the library throws; docs/errors.md says what each means. */
export type HoldfastErrorCode =
  /** Of what every room stands on. */
  | "conflict"
  | "invalid_name"
  | "unsafe_path"
  | ConversationErrorCode
  | FleetErrorCode
  | HealthErrorCode
  | RecoveryErrorCode
  | RunnerErrorCode
  | SearchErrorCode
  | StoreErrorCode
  | TaskErrorCode
  | UsageErrorCode;
