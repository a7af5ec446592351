import { usageError } from "../errors.ts";

/** What `agent` takes together with `--remote` only. */
export interface RemoteOptions {
  label?: string;
  clone?: string;
  links?: boolean;
  from?: string;
}

export function refuseRemoteOptions(options: RemoteOptions): void {
  const given = (["label", "clone", "links"] as const).find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw usageError("agent", `Cannot use --${given} without --remote: it is for runs on the fleet`);
}
