import { logShardsMax } from "../limits.ts";
import {
  bundlesBucket,
  controlStream,
  logStream,
  runsStream,
  sessionsBucket,
  workersBucket,
} from "../transport/names.ts";

/**
 * Who may do what on the server. Least privilege: a worker can neither dispatch nor remove anything, a watcher can
 * neither append nor take a run; only the administrator makes, changes and empties streams.
 */
export const roles = ["admin", "dispatcher", "worker", "watcher"] as const;
export type Role = (typeof roles)[number];

/** The permissions of one key. Answers come to an inbox of its own, so that nobody reads another's. */
export function rolePermissions(role: Role, publicKey: string): Record<"publish" | "subscribe", object> {
  const { publish, subscribe } = rules[role];
  return {
    publish: { allow: publish },
    subscribe: { allow: [...subscribe, `${inboxPrefix(publicKey)}.>`] },
  };
}

export function inboxPrefix(publicKey: string): string {
  return `_INBOX.${publicKey}`;
}

const api = (verb: string): string => `$JS.API.${verb}`;
const logs = Array.from({ length: logShardsMax }, (_, shard) => logStream(shard));
const buckets = [`KV_${sessionsBucket}`, `KV_${workersBucket}`];
const objects = `OBJ_${bundlesBucket}`;

const lookAtStreams = [runsStream, controlStream, ...logs, ...buckets, objects].map((name) =>
  api(`STREAM.INFO.${name}`),
);
const readLogs = [...logs, ...buckets].flatMap((name) => [
  api(`DIRECT.GET.${name}`),
  api(`DIRECT.GET.${name}.>`),
]);
const lookAtQueue = [api(`CONSUMER.INFO.${runsStream}.*`), api(`CONSUMER.LIST.${runsStream}`)];
const readObjects = [api(`DIRECT.GET.${objects}`), api(`DIRECT.GET.${objects}.>`)];
// What every role needs but the administrator, who may do everything.
const look = [...lookAtStreams, ...lookAtQueue, ...readLogs, ...readObjects];
const writeObjects = `$O.${bundlesBucket}.>`;

const rules: Record<Role, { publish: string[]; subscribe: string[] }> = {
  admin: { publish: [">"], subscribe: [">"] },
  dispatcher: {
    publish: ["run.>", "ctl.>", `$KV.${sessionsBucket}.>`, ...look, writeObjects],
    subscribe: ["live.>"],
  },
  worker: {
    publish: [
      "ev.>",
      `$KV.${sessionsBucket}.>`,
      `$KV.${workersBucket}.>`,
      api(`CONSUMER.MSG.NEXT.${runsStream}.>`),
      `$JS.ACK.${runsStream}.>`,
      // What fences a worker is asked of the leader, which alone is never behind.
      ...logs.map((name) => api(`STREAM.MSG.GET.${name}`)),
      api(`DIRECT.GET.${controlStream}`),
      api(`DIRECT.GET.${controlStream}.>`),
      ...look,
      writeObjects,
    ],
    subscribe: ["live.ctl.>"],
  },
  watcher: { publish: look, subscribe: ["live.ev.>"] },
};
