import type { AgentSettings } from "../../tasks/kinds/agent/agent-settings.ts";
import type { Runner } from "../../tasks/ports.ts";

/** The runner that a record names. Loaded when it is first asked for an event: most hosts need one of them. */
export function loadRunner(
  { runner: spec }: AgentSettings,
  env: Readonly<Record<string, string | undefined>>,
): Runner {
  return async function* (request, signal) {
    switch (spec?.name) {
      case "scripted": {
        const { scriptedRunner } = await import("../../runners/scripted/index.ts");
        return yield* scriptedRunner({ script: spec.script ?? "" })(request, signal);
      }
      default:
        throw new Error(`Cannot run agent: runner "${spec?.name}" is not known; ${Object.keys(env).length}`);
    }
  };
}
