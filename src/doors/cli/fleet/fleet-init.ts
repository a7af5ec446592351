import { ensureLayout } from "../../../fleet/transport/ensure-layout.ts";
import type { FleetShape } from "../../../fleet/transport/layout.ts";
import type { CommandContext } from "../command.ts";
import { withProgress } from "../progress.ts";
import { openFleet } from "./open-fleet.ts";

/** `holdfast fleet init`: makes or mends the streams, buckets and queues. */
export async function fleetInit(context: CommandContext, shape: FleetShape): Promise<void> {
  const connection = await openFleet(context, "admin");
  try {
    const findings = await withProgress(context, "Making streams", ensureLayout(connection, shape));
    if (context.isJson) return await context.writeJson({ findings });
    for (const { name, state, settings } of findings) {
      const what = settings.length > 0 ? ` (${settings.join(", ")})` : "";
      await context.output.write(`${state.padEnd(8)} ${name}${what}\n`);
    }
  } finally {
    await connection.close();
  }
}
