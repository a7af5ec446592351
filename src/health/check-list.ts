import { archive } from "./checks/archive.ts";
import { clock } from "./checks/clock.ts";
import { danglingLinks } from "./checks/dangling-links.ts";
import { diskSpace } from "./checks/disk-space.ts";
import { emptySessions } from "./checks/empty-sessions.ts";
import { homePermissions } from "./checks/home-permissions.ts";
import { hooks } from "./checks/hooks.ts";
import { inotifyLimits } from "./checks/inotify-limits.ts";
import { lostTasks } from "./checks/lost-tasks.ts";
import { movedFolders } from "./checks/moved-folders.ts";
import { nodeVersion } from "./checks/node-version.ts";
import { orphanedCompanions } from "./checks/orphaned-companions.ts";
import { orphanedProcesses } from "./checks/orphaned-processes.ts";
import { owedAnswers } from "./checks/owed-answers.ts";
import { quotas } from "./checks/quotas.ts";
import { retention } from "./checks/retention.ts";
import { settings } from "./checks/settings.ts";
import { staleIndex } from "./checks/stale-index.ts";
import { examined, transcriptChecks } from "./checks/transcript-checks.ts";
import { unseenTasks } from "./checks/unseen-tasks.ts";
import type { HealthCheck } from "./health-check.ts";

/** Every check, in the order in which people read them. */
export const checkList: readonly HealthCheck[] = [
  nodeVersion,
  homePermissions,
  inotifyLimits,
  diskSpace,
  clock,
  settings,
  hooks,
  retention,
  lostTasks,
  unseenTasks,
  orphanedProcesses,
  danglingLinks,
  quotas,
  // Before damage is repaired: what comes with an answer need not be made up.
  owedAnswers,
  examined,
  ...transcriptChecks,
  emptySessions,
  orphanedCompanions,
  movedFolders,
  archive,
  staleIndex,
];
