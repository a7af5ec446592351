import type { FileDiff } from "../../store/companions/diff-files.ts";
import type { ReviewView } from "../views/session-views.ts";
import { reviewLengthMax } from "./limits.ts";

/** Differences with how much they add and remove. Together they are as long as a page takes; what is beyond is left out. */
export function countedDiffs(diffs: readonly FileDiff[]): Pick<ReviewView, "files" | "isCut"> {
  const files: ReviewView["files"] = [];
  let room = reviewLengthMax;
  let isCut = false;
  for (const diff of diffs) {
    if (diff.kind === "same") continue;
    const counted = { ...diff, ...countsOf(diff) };
    const length = diff.kind === "changed" ? diff.patch.length : 0;
    if (length <= room) {
      room -= length;
      files.push(counted);
    } else {
      isCut = true;
      files.push({ path: diff.path, kind: "too-different", added: counted.added, removed: counted.removed });
    }
  }
  return { files, isCut };
}

function countsOf(diff: FileDiff): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  if (diff.kind !== "changed") return { added, removed };
  let isInHunk = false;
  for (const line of diff.patch.split("\n")) {
    if (line.startsWith("@@")) isInHunk = true;
    else if (isInHunk && line.startsWith("+")) added++;
    else if (isInHunk && line.startsWith("-")) removed++;
  }
  return { added, removed };
}
