import { JetStreamApiError, type ConsumerConfig, type StreamConfig } from "@nats-io/jetstream";
import type { FleetConnection } from "./connection.ts";
import { fleetLayout, type FleetShape } from "./layout.ts";
import { runsStream } from "./names.ts";
import { isMissing, untilServed } from "./retry.ts";

/** The state of one stream or consumer, and what was done about it. */
export interface LayoutFinding {
  name: string;
  state: "there" | "missing" | "different" | "created" | "changed";
  /** The settings that differ, or differed. */
  settings: string[];
}

/**
 * Makes the streams, buckets and consumers that are missing and changes those that differ; asked twice, the second time
 * changes nothing. Never removes anything. Needs the administrator's key.
 */
export async function ensureLayout(connection: FleetConnection, shape: FleetShape): Promise<LayoutFinding[]> {
  return walkLayout(connection, shape, { isRepair: true });
}

/** The same look without touching anything, for who checks the health of the fleet. */
export async function checkLayout(connection: FleetConnection, shape: FleetShape): Promise<LayoutFinding[]> {
  return walkLayout(connection, shape, { isRepair: false });
}

async function walkLayout(
  { jsm }: FleetConnection,
  shape: FleetShape,
  { isRepair }: { isRepair: boolean },
): Promise<LayoutFinding[]> {
  const { streams, consumers } = fleetLayout(shape);
  const findings: LayoutFinding[] = [];
  for (const wanted of streams) {
    const { name } = wanted;
    const found = await findOrUndefined(async () => (await jsm.streams.info(name)).config);
    await settle(compare(name, { wanted, found }), {
      add: () => addStream(wanted),
      update: () => jsm.streams.update(name, wanted),
    });
  }
  for (const consumer of consumers) {
    const name = consumer.durable_name;
    const found = await findOrUndefined(async () => (await jsm.consumers.info(runsStream, name)).config);
    // A lease that was chosen before stays, unless another one is chosen now.
    const isLeaseKept = found !== undefined && shape.leaseMs === undefined;
    const wanted = isLeaseKept ? { ...consumer, ack_wait: found.ack_wait! } : consumer;
    await settle(compare(name, { wanted, found }), {
      add: () => jsm.consumers.add(runsStream, wanted),
      update: () => jsm.consumers.update(runsStream, name, wanted),
    });
  }
  return findings;

  async function settle(
    finding: LayoutFinding,
    repair: { add: () => Promise<unknown>; update: () => Promise<unknown> },
  ): Promise<void> {
    if (!isRepair || finding.state === "there") return void findings.push(finding);
    const isNew = finding.state === "missing";
    await untilServed(isNew ? repair.add : repair.update, REPAIR);
    findings.push({ ...finding, state: isNew ? "created" : "changed" });
  }

  // Of two who make it at once, one is told that it is there.
  async function addStream(wanted: Partial<StreamConfig> & { name: string }): Promise<unknown> {
    try {
      return await jsm.streams.add(wanted);
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === STREAM_NAME_IN_USE)
        return jsm.streams.update(wanted.name, wanted);
      throw error;
    }
  }
}

const REPAIR = { timeoutMs: 30_000 };
const STREAM_NAME_IN_USE = 10058;

async function findOrUndefined<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await untilServed(find, REPAIR);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

type Config = Partial<StreamConfig> | Partial<ConsumerConfig>;

function compare(
  name: string,
  { wanted, found }: { wanted: Config; found: Config | undefined },
): LayoutFinding {
  if (!found) return { name, state: "missing", settings: [] };
  const settings = Object.entries(wanted)
    .filter(([key, value]) => !isWithin(value, (found as Record<string, unknown>)[key]))
    .map(([key]) => key);
  return { name, state: settings.length > 0 ? "different" : "there", settings };
}

// The server adds settings of its own, also inside of ours; what it leaves out is its default.
function isWithin(wanted: unknown, found: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) &&
      wanted.length === found.length &&
      wanted.every((item, at) => isWithin(item, found[at]))
    );
  if (typeof wanted === "object" && wanted !== null)
    return Object.entries(wanted).every(([key, value]) =>
      isWithin(value, (found as Record<string, unknown> | undefined)?.[key]),
    );
  return wanted === found || (found === undefined && (wanted === false || wanted === 0));
}
