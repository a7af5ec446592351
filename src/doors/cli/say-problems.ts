import type { DiffObstacle } from "../../store/companions/diff-files.ts";
import type { CompanionProblem } from "../../store/companions/read-companion.ts";
import type { UndoRefusal } from "../../store/companions/undo-files.ts";
import type { CommandContext } from "./command.ts";
import { displayPath } from "./render/display-path.ts";

/** Says which companion files could not be used. */
export function sayProblems(
  { say, environment }: CommandContext,
  problems: readonly CompanionProblem[],
): void {
  for (const { path, reason } of problems) {
    say(`holdfast: Cannot use "${displayPath(path, environment.userHome)}": ${reasonText(reason)}`);
  }
}

/** Why a file was left as it is, in words. */
export function reasonText(reason: CompanionProblem["reason"] | DiffObstacle | UndoRefusal): string {
  return reasons[reason];
}

const reasons: Readonly<Record<CompanionProblem["reason"] | DiffObstacle | UndoRefusal, string>> = {
  "backup-lost": "its backup is gone",
  "changed-meanwhile": "something else changed it meanwhile; try again",
  link: "it is a link, or behind one, which is not followed",
  "not-a-file": "it is not a regular file",
  "not-json": "it is not JSON",
  "other-system": "it is a path of Windows, which is not reached from here",
  "outside-cwd": "it is outside the session's directory",
  "too-large": "it is too large",
  unreadable: "no permission to read it",
  "unsafe-name": "its name leads out of its folder",
  "wrong-shape": "it has an unknown form",
};
