import { soakServers } from "./soak-servers.ts";
import { soakWorkers } from "./soak-workers.ts";

export interface SoakOptions {
  /** The nats-server. */
  file: string;
  seed: number;
  /** How many workers are killed in the middle of a run. */
  workerKills: number;
  /** How often the servers are hurt, in each of the ways. */
  serverRounds: number;
  tell: (line: string) => void;
}

/** The long test: what is wrong in the end, in words; nothing, if all is well. */
export async function soakFleet(options: SoakOptions): Promise<string[]> {
  return [...(await soakWorkers(options)), ...(await soakServers(options))];
}
