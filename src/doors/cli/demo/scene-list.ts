import type { Scene } from "./scene.ts";
import { branches } from "./scenes/branches.ts";
import { compaction } from "./scenes/compaction.ts";
import { hostileText } from "./scenes/hostile-text.ts";
import { killedAgent } from "./scenes/killed-agent.ts";
import { killedLauncher } from "./scenes/killed-launcher.ts";
import { killedWorker } from "./scenes/killed-worker.ts";
import { killedWriter } from "./scenes/killed-writer.ts";
import { recovery } from "./scenes/recovery.ts";
import { resume } from "./scenes/resume.ts";
import { trash } from "./scenes/trash.ts";
import { writeSession } from "./scenes/write-session.ts";

/** The tour, in its order: tasks and agents, then one session that each scene takes over from the one before. */
export const scenes: readonly Scene[] = [
  killedLauncher,
  killedAgent,
  killedWorker,
  recovery,
  writeSession,
  killedWriter,
  resume,
  compaction,
  branches,
  trash,
  hostileText,
];
