import type { TaskFiles } from "../../task-files.ts";

/** Whose holder follows a remote run: one at a time. */
export function followerLease({ base }: TaskFiles): string {
  return `${base}.follower.lease`;
}
