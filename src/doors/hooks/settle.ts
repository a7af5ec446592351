import { projectKey } from "../../format/paths.ts";
import { appendManifest } from "../../recovery/append-manifest.ts";
import type { EndLine } from "../../recovery/manifest-line.ts";
import { readManifest } from "../../recovery/read-manifest.ts";
import { listLaunched } from "../../recovery/list-launched.ts";
import type { HookInput } from "./hook-input.ts";
import { lineOf, manifestPlace, projectDirOf, recoverOptions, type HookWorld } from "./hook-world.ts";
import type { HookAnswer } from "./run-hook.ts";

/**
 * Before a session forgets or ends: writes down the endings of its work that its files tell and no event told. The end
 * of a session is also the moment at which nobody waits: old manifests are compressed.
 */
export async function settle(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const { sessionId } = input;
  const open = readManifest(world.home, projectKey(projectDirOf(input, world))).filter(
    ({ launch, end }) => launch.source === "hook" && launch.session_id === sessionId && !end,
  );
  const openIds = new Set(open.map(({ launch }) => launch.agent_id));
  const items = listLaunched({
    ...recoverOptions(input, world),
    only: (launch) => openIds.has(launch.agent_id),
  });
  const lines = items.flatMap((item): EndLine[] => {
    // A process that lives cannot have lost its work; the next one looks again.
    if (item.owner !== "client" || item.status === "running" || item.status === "lost") return [];
    return [
      {
        ...lineOf(input, world, item.id),
        cwd: item.cwd,
        status: item.status,
        ...(item.endedAt !== undefined && { timestamp: item.endedAt }),
        ...(item.result !== undefined && { result: item.result }),
        ...(item.exitCode !== undefined && { summary: `exit code ${item.exitCode}` }),
      },
    ];
  });
  const place = manifestPlace(input, world);
  await appendManifest(place, lines);
  if (input.event !== "SessionEnd") return {};
  return {
    afterwards: async () => {
      const { tidyManifests } = await import("../../recovery/tidy-manifests.ts");
      tidyManifests(world.home, place);
    },
  };
}
