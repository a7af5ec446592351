import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from "@nats-io/jetstream";
import {
  AuthorizationError,
  connect,
  nkeyAuthenticator,
  nkeys,
  type NatsConnection,
  type NodeConnectionOptions,
} from "@nats-io/transport-node";
import { fleetConnectMs, fleetPingMs, fleetRequestMs } from "../limits.ts";
import { codeOf } from "../../lib/errors.ts";
import { fleetError } from "../errors.ts";
import { inboxPrefix } from "../server/roles.ts";
import { readSeed } from "../server/role-keys.ts";
import { isNewEnough, parseServerVersion, serverVersionMin } from "../server/server-version.ts";

/** How to reach the servers. Secrets are named by their files, never held in settings. */
export interface FleetAddress {
  /** `nats://host:port` or `tls://host:port`; one is enough, the others of a cluster are told by it. */
  servers: readonly string[];
  /** The secret half of a role's key. */
  keyFile?: string | undefined;
  /** Whom to believe that a server is itself. Its presence asks for TLS. */
  caFile?: string | undefined;
  /** For servers that ask for a client's certificate. */
  tlsCertFile?: string | undefined;
  tlsKeyFile?: string | undefined;
}

/** A connection that repairs itself: it pings, reconnects without end, and reports each reconnection. */
export interface FleetConnection {
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** Calls back after each reconnect, until the returned function is called. */
  onReconnect(listener: () => void): () => void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Connects, or throws `fleet_unreachable`, `fleet_forbidden` or `fleet_too_old`. */
export async function connectFleet(
  address: FleetAddress,
  { name, timeoutMs = fleetConnectMs }: { name: string; timeoutMs?: number },
): Promise<FleetConnection> {
  const nc = await connectFirst(address, { name, timeoutMs });
  const version = parseServerVersion(nc.info?.version ?? "");
  if (!version || !isNewEnough(version)) {
    await nc.close();
    throw fleetError(
      "fleet_too_old",
      `Cannot use the server "${nc.getServer()}": it is version ${version?.text ?? "unknown"}, the fleet needs ${serverVersionMin} or newer`,
    );
  }
  const listeners = new Set<() => void>();
  void tellReconnects(nc, listeners);
  const close = (): Promise<void> => nc.close();
  return {
    nc,
    js: jetstream(nc, { timeout: fleetRequestMs }),
    jsm: await jetstreamManager(nc, { timeout: fleetRequestMs, checkAPI: false }),
    onReconnect(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function connectFirst(
  address: FleetAddress,
  { name, timeoutMs }: { name: string; timeoutMs: number },
): Promise<NatsConnection> {
  const options = connectionOptions(address, name);
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await connect({ ...options, timeout: Math.max(1, giveUpAt - performance.now()) });
    } catch (cause) {
      const isRefused = cause instanceof AuthorizationError;
      // A server that is just starting, or electing, refuses for a moment.
      if (!isRefused && codeOf(cause) !== "ENOENT" && performance.now() < giveUpAt - RETRY_MS) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        continue;
      }
      const servers = address.servers.map(withoutSecrets).join(", ");
      const why = isRefused
        ? address.keyFile === undefined
          ? "it asks for a login, and no key is given; name one in HOLDFAST_NATS_KEYS"
          : "it refuses these credentials"
        : whyUnreachable(cause as Error, address);
      throw fleetError(
        isRefused ? "fleet_forbidden" : "fleet_unreachable",
        `Cannot connect to ${servers}: ${why}`,
        {
          cause,
          retryable: !isRefused,
        },
      );
    }
  }
}

const RETRY_MS = 250;

// What Node says of certificates names no setting of ours.
function whyUnreachable({ message, cause }: Error, { caFile }: FleetAddress): string {
  const text = `${message} ${cause instanceof Error ? cause.message : ""}`;
  if (!/certificate|self.signed|issuer|\btls\b|\bssl\b/i.test(text)) return message;
  return caFile === undefined
    ? `${message}; it speaks TLS: begin its address with tls:// and name who signed its certificate in HOLDFAST_NATS_CA`
    : `${message}; HOLDFAST_NATS_CA names "${caFile}", which did not sign its certificate`;
}

function connectionOptions(address: FleetAddress, name: string): NodeConnectionOptions {
  const { servers, keyFile, caFile, tlsCertFile, tlsKeyFile } = address;
  const seed = keyFile === undefined ? undefined : readSeed(keyFile);
  return {
    servers: [...servers],
    name,
    pingInterval: fleetPingMs,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: RETRY_MS,
    noAsyncTraces: true,
    ...(seed && {
      authenticator: nkeyAuthenticator(seed),
      inboxPrefix: inboxPrefix(nkeys.fromSeed(seed).getPublicKey()),
    }),
    ...((caFile !== undefined || tlsCertFile !== undefined) && {
      tls: {
        ...(caFile !== undefined && { caFile }),
        ...(tlsCertFile !== undefined && { certFile: tlsCertFile }),
        ...(tlsKeyFile !== undefined && { keyFile: tlsKeyFile }),
      },
    }),
  };
}

async function tellReconnects(nc: NatsConnection, listeners: ReadonlySet<() => void>): Promise<void> {
  for await (const { type } of nc.status()) {
    if (type === "reconnect") for (const listener of listeners) listener();
  }
}

/** An address as it may be shown and recorded. */
export function withoutSecrets(server: string): string {
  return server.replace(/\/\/[^/@]*@/, "//");
}
