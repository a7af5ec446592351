import type { PermissionOption, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { PermissionAnswer } from "../../../tasks/ports.ts";

const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/**
 * The option that says what was answered; `cancelled` when the agent offers none that does. "Always" stays here: what
 * agents offer for it allows more than what was asked about, up to everything.
 */
export function permissionResponse(
  answer: PermissionAnswer,
  options: readonly PermissionOption[],
): RequestPermissionResponse {
  if (answer.behavior === "deny" && answer.interrupt) return cancelled;
  const wanted: PermissionOption["kind"][] =
    answer.behavior === "deny" ? ["reject_once", "reject_always"] : ["allow_once", "allow_always"];
  const option = wanted.flatMap((kind) => options.find((offered) => offered.kind === kind) ?? [])[0];
  return option ? { outcome: { outcome: "selected", optionId: option.optionId } } : cancelled;
}

// Kinds of tools that the names in an agent type allow.
const changing = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

/** What an agent type's list of tools means for the services that are offered to an agent. */
export function allowedServices(tools: readonly string[] | undefined): {
  write: boolean;
  terminal: boolean;
} {
  if (tools === undefined) return { write: true, terminal: true };
  return { write: tools.some((tool) => changing.includes(tool)), terminal: tools.includes("Bash") };
}

/** Whether a tool that the agent asks for is in the list; names that the list cannot know are left to the answerer. */
export function isToolAllowed(tool: string, tools: readonly string[] | undefined): boolean {
  if (tools === undefined || tools.includes(tool)) return true;
  const { write, terminal } = allowedServices(tools);
  if ([...changing, "Delete", "Move"].includes(tool)) return write;
  return tool === "Bash" ? terminal : true;
}
