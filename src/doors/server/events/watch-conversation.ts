import type { Runtime } from "../../../runtime/index.ts";
import type { WatchBody } from "../api/index.ts";
import { rowAddressOf } from "../routes/row-address.ts";
import type { EventStream } from "./event-stream.ts";

/** Tells a reader of the rows that a conversation gets, until it is gone or the signal comes. */
export async function watchConversation(
  stream: EventStream,
  watched: WatchBody["conversations"][number],
  { aside, signal }: { aside: Runtime["aside"]; signal: AbortSignal },
): Promise<void> {
  const { session, project, agent, view } = watched;
  const address = rowAddressOf(session, watched);
  const about = { session, project: project ?? null, agent: agent ?? null };
  const key = `rows ${session} ${project ?? ""} ${agent ?? ""} ${view}`;
  for await (const piece of aside.open("watch", { ...watched, address }, { signal })) {
    if ("isGone" in piece) {
      stream.push(`gone ${key}`, { name: "rows-gone", data: about });
      return;
    }
    const { generation, total, rows } = piece;
    // Rows that wait are not lost: the same row comes once, as it is now.
    const waiting = stream.waiting(key, "rows")?.data;
    const before = waiting?.generation === generation ? waiting.rows : [];
    const merged = [...new Map([...before, ...rows].map((row) => [row.row, row])).values()];
    stream.push(key, {
      name: "rows",
      data: { ...about, view, generation: generation ?? "", total: total ?? 0, rows: merged },
    });
  }
}
