import { fingerprint, type Work } from "../../format/fingerprint.ts";
import { checkedOutBranch } from "../../lib/checked-out-branch.ts";

/** What a task was launched to do, made of all that was said then. */
export interface LaunchedWork {
  /** Empty where nothing was said by which it could be recognised. */
  fingerprint: string;
  /** The branch that was checked out in its folder; absent outside of repositories. */
  branch?: string;
}

export function launchedWork(work: Work): LaunchedWork {
  return { fingerprint: fingerprint(work), ...branchIn(work.cwd) };
}

/** Work whose words say nothing without the conversation that they belong to. */
export function unnamedWork({ cwd }: Pick<Work, "cwd">): LaunchedWork {
  return { fingerprint: "", ...branchIn(cwd) };
}

function branchIn(cwd: string): Pick<LaunchedWork, "branch"> {
  const branch = checkedOutBranch(cwd);
  return branch === undefined ? {} : { branch };
}
