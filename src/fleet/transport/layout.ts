import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  StoreCompression,
  type ConsumerConfig,
  type StreamConfig,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import {
  bundleBytesMax,
  controlAgeMsMax,
  duplicateWindowMs,
  leasedRunsMax,
  logAgeMsMax,
  logEventsMax,
  logShardsMax,
  queuedRunsMax,
  runLeaseMs,
  workerBeatMs,
} from "../limits.ts";
import {
  bundlesBucket,
  controlStream,
  defaultQueue,
  isSubjectToken,
  liveSubject,
  logStream,
  queueConsumer,
  runsStream,
  sessionsBucket,
  workersBucket,
} from "./names.ts";

/** How large the fleet is; chosen once, by `fleet init`. */
export interface FleetShape {
  /** Copies of everything: 1 on a single node, 3 on a cluster. */
  replicas?: number | undefined;
  /** Streams that the logs are spread over; one carries about 500 sessions that run at once. */
  shards?: number | undefined;
  /** Names of queues besides the default one: what workers are labelled with. */
  labels?: readonly string[] | undefined;
  leaseMs?: number | undefined;
}

export interface FleetLayout {
  streams: (Partial<StreamConfig> & { name: string })[];
  consumers: (Partial<ConsumerConfig> & { durable_name: string })[];
}

/** Every stream, bucket and consumer that the fleet needs, as the server is to have them. Throws a RangeError. */
export function fleetLayout({
  replicas = 1,
  shards = 1,
  labels = [],
  leaseMs = runLeaseMs,
}: FleetShape = {}): FleetLayout {
  if (![1, 3, 5].includes(replicas)) throw new RangeError(`Cannot keep ${replicas} copies: 1, 3 or 5`);
  if (!(Number.isInteger(shards) && shards >= 1 && shards <= logShardsMax))
    throw new RangeError(`Cannot spread logs over ${shards} streams: 1 to ${logShardsMax}`);
  const isLabel = (label: string): boolean => isSubjectToken(label);
  const wrong = labels.find((label) => !isLabel(label));
  if (wrong !== undefined) throw new RangeError(`Cannot use label "${wrong}": letters, digits, - and _ only`);
  const base = {
    storage: StorageType.File,
    num_replicas: replicas,
    discard: DiscardPolicy.New,
    duplicate_window: nanos(duplicateWindowMs),
    compression: StoreCompression.None,
  };
  const republished = (subjects: string): Partial<StreamConfig> => ({
    subjects: [subjects],
    allow_direct: true,
    republish: { src: subjects, dest: liveSubject(subjects) },
  });
  const bucket = (name: string, ageMs: number): FleetLayout["streams"][number] => ({
    ...base,
    name: `KV_${name}`,
    subjects: [`$KV.${name}.>`],
    retention: RetentionPolicy.Limits,
    max_msgs_per_subject: 1,
    max_age: nanos(ageMs),
    // May not be longer than a message is kept.
    duplicate_window: nanos(Math.min(duplicateWindowMs, ageMs)),
    allow_direct: true,
    allow_rollup_hdrs: true,
    deny_delete: true,
  });
  return {
    streams: [
      {
        ...base,
        name: runsStream,
        subjects: ["run.*.*"],
        retention: RetentionPolicy.Workqueue,
        max_msgs: queuedRunsMax,
      },
      ...Array.from({ length: shards }, (_, shard) => ({
        ...base,
        ...republished(`ev.${shard}.>`),
        name: logStream(shard),
        retention: RetentionPolicy.Limits,
        max_age: nanos(logAgeMsMax),
        max_msgs_per_subject: logEventsMax,
        discard_new_per_subject: true,
        // Read by every client: it decides where a new session's log goes.
        metadata: { shards: String(shards) },
      })),
      {
        ...base,
        ...republished("ctl.>"),
        name: controlStream,
        retention: RetentionPolicy.Limits,
        max_age: nanos(controlAgeMsMax),
      },
      bucket(sessionsBucket, logAgeMsMax),
      bucket(workersBucket, workerBeatMs * 3),
      {
        ...base,
        name: `OBJ_${bundlesBucket}`,
        subjects: [`$O.${bundlesBucket}.C.>`, `$O.${bundlesBucket}.M.>`],
        retention: RetentionPolicy.Limits,
        max_age: nanos(logAgeMsMax),
        allow_direct: true,
        allow_rollup_hdrs: true,
        max_bytes: bundleBytesMax * 64,
      },
    ],
    consumers: [defaultQueue, ...labels].map((queue) => ({
      durable_name: queueConsumer(queue),
      filter_subject: `run.${queue}.*`,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(leaseMs),
      max_ack_pending: leasedRunsMax,
      max_deliver: -1,
      num_replicas: replicas,
    })),
  };
}
