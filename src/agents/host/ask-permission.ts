import { isJsonObject } from "../../format/json-object.ts";
import type { Clock } from "../../lib/clock.ts";
import { readSettings } from "../../store/companions/settings.ts";
import type { PermissionAnswer, PermissionRequest } from "../../tasks/ports.ts";
import type { TaskFiles } from "../../tasks/record/task-files.ts";
import type { PermissionPolicy } from "../../tasks/kinds/agent/agent-settings.ts";
import type { AgentHostPorts } from "./host-agent.ts";
import { readAllowed, waitForAnswer, writeAllowed } from "../../tasks/kinds/agent/permission-answer.ts";
import { judge, ruleFor, type PermissionRules, type RulePlace } from "./permission-rule.ts";

export interface PermissionOptions {
  policy: PermissionPolicy;
  files: TaskFiles;
  configDir: string;
  place: RulePlace;
  clock: Clock;
}

/** How the questions of one agent are answered: by its policy, by what was allowed before, or by whoever looks at the task. */
export function permissionAsker({
  policy,
  files,
  configDir,
  place,
  clock,
}: PermissionOptions): AgentHostPorts["askPermission"] {
  let allowed = readAllowed(files);
  const rules = permissionRules(policy, { configDir, cwd: place.cwd });
  let asked = 0;
  // One question at a time: a person answers one at a time.
  let last: Promise<unknown> = Promise.resolve();

  const answerAtOnce = (request: PermissionRequest): PermissionAnswer | undefined => {
    if (policy === "allow") return { behavior: "allow" };
    if (policy === "deny")
      return { behavior: "deny", message: "This run may not use tools that need permission" };
    const verdict = judge(request, { ...rules, allow: [...rules.allow, ...allowed] }, place);
    if (verdict === "deny") return { behavior: "deny", message: denial(request) };
    return verdict === "allow" ? { behavior: "allow" } : undefined;
  };

  return (request, { signal, onNeeded }) => {
    const atOnce = answerAtOnce(request);
    if (atOnce) return Promise.resolve(atOnce);
    const answer = last.then(async () => {
      signal.throwIfAborted();
      // What was answered meanwhile may hold for this one, too.
      const known = answerAtOnce(request);
      if (known) return known;
      const requestId = String(++asked);
      const { toolUseId, tool, title } = request;
      onNeeded({ requestId, toolUseId, tool, title, since: clock.now().toISOString() });
      try {
        const given = await waitForAnswer(files, { requestId, signal });
        if (given.behavior === "allow" && given.always) {
          allowed = [...allowed, ruleFor(request)];
          writeAllowed(files, allowed);
        }
        return given;
      } finally {
        onNeeded(undefined);
      }
    });
    last = answer.catch(() => {});
    return answer;
  };
}

/** What the rules forbid also to tools for which nobody is asked. */
export function ruleDenier(
  policy: PermissionPolicy,
  { configDir, place }: Pick<PermissionOptions, "configDir" | "place">,
): (request: PermissionRequest) => string | undefined {
  const rules = permissionRules(policy, { configDir, cwd: place.cwd });
  return (request) => (judge(request, rules, place) === "deny" ? denial(request) : undefined);
}

function denial({ tool }: PermissionRequest): string {
  return `The settings deny ${tool} here`;
}

const noRules: PermissionRules = { allow: [], deny: [], ask: [] };

/** What a policy goes by before anybody is asked: the lists of the client's settings, or nothing. */
export function permissionRules(
  policy: PermissionPolicy,
  { configDir, cwd }: { configDir: string; cwd: string },
): PermissionRules {
  if (policy !== "rules") return noRules;
  const { permissions } = readSettings({ configDir, cwd }).values;
  const list = (name: string): string[] => {
    const rules = isJsonObject(permissions) ? permissions[name] : undefined;
    return Array.isArray(rules) ? rules.filter((rule) => typeof rule === "string") : [];
  };
  return { allow: list("allow"), deny: list("deny"), ask: list("ask") };
}
