import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { readLog } from "../../../fleet/runs/claim-run.ts";
import type { FleetConnection } from "../../../fleet/transport/connection.ts";
import { entriesOf } from "../../../fleet/transport/large-entries.ts";
import type { TranscriptEntry } from "../../../fleet/transport/log-event.ts";
import type { SessionState } from "../../../fleet/transport/session-states.ts";
import type { Entry } from "../../../format/index.ts";
import { removeSession } from "../../../fleet/transport/remove-session.ts";
import type { CommandContext } from "../command.ts";
import { writeConversation } from "../conversation/write-conversation.ts";
import { realDir } from "../real-dir.ts";
import { plural } from "../../../lib/quantities.ts";
import { findFleetSession } from "../../../fleet/runs/find-fleet-session.ts";
import { openFleet } from "./open-fleet.ts";

/** `holdfast fleet show`: reads a session of any machine from the fleet. */
export async function showFleetSession(context: CommandContext, id: string): Promise<void> {
  const connection = await openFleet(context, "watcher");
  try {
    const state = await findFleetSession(connection, id);
    const entries = readEntries(connection, state);
    if (context.isJson) return await context.writeJson({ session: state, entries });
    await writeConversation(context, entries as AsyncGenerator<Entry>);
  } finally {
    await connection.close();
  }
}

async function* readEntries(
  connection: FleetConnection,
  { shard, sessionId }: SessionState,
): AsyncGenerator<TranscriptEntry> {
  const tempDir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-show-"));
  try {
    // A session that was sent away twice says some of it twice.
    const given = new Set<unknown>();
    for (const { event } of await readLog(connection, { shard, sessionId })) {
      for (const entry of await entriesOf(connection, event, { tempDir })) {
        const { uuid } = entry;
        if (uuid !== undefined && given.has(uuid)) continue;
        given.add(uuid);
        yield entry;
      }
    }
  } finally {
    fs.rmSync(tempDir, { recursive: true, force: true });
  }
}

/** `holdfast fleet follow`: makes a task of a session that another machine dispatched. */
export async function followFleetSession(context: CommandContext, id: string): Promise<void> {
  const { fleet } = await context.runtime();
  const task = await fleet.follow(id, { cwd: realDir(context.environment.cwd) });
  const { sessionId } = task.record.remote!;
  if (context.isJson) return context.writeJson({ id: task.record.id, sessionId });
  await context.output.write(`${task.record.id}\n`);
}

/** `holdfast fleet rm`: takes an ended session off the servers. What was mirrored elsewhere stays there. */
export async function removeFleetSession(context: CommandContext, id: string): Promise<void> {
  const connection = await openFleet(context, "admin");
  try {
    const state = await findFleetSession(connection, id);
    const removed = await removeSession(connection, state);
    const { sessionId } = state;
    if (context.isJson) return await context.writeJson({ sessionId, ...removed });
    const { events, objects } = removed;
    context.say(`Removed session ${sessionId}: ${plural(events, "event")}, ${plural(objects, "object")}.`);
  } finally {
    await connection.close();
  }
}
