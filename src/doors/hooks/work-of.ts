import { fingerprint, type Work } from "../../format/fingerprint.ts";
import { checkedOutBranch } from "../../lib/checked-out-branch.ts";
import type { NamedWork } from "../../recovery/same-work.ts";
import { objectField, shortField, type HookInput } from "./hook-input.ts";

/** By what the work of a tool call is recognised. The model is the one that answers, if that is known, or the one asked for. */
export function workOf(
  { cwd, fields }: HookInput,
  { kind, text, model = "" }: Pick<Work, "kind" | "text"> & { model?: string },
): NamedWork {
  const branch = checkedOutBranch(cwd);
  const named = model || shortField(objectField(fields, "tool_input"), "model");
  return {
    fingerprint: text.trim() === "" ? "" : fingerprint({ kind, text, cwd }),
    ...(branch !== undefined && { branch }),
    ...(named !== "" && kind !== "local_bash" && { model: named }),
  };
}
