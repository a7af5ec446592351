import fs from "node:fs";
import path from "node:path";
import { usageError } from "../errors.ts";

export interface BeyondOptions {
  host?: string;
  name?: string;
  tlsCert?: string;
  tlsKey?: string;
  tokenFile?: string;
}

/** A server for other machines, with everything that it must not do without. */
export interface BeyondThisMachine {
  host: string;
  name: string;
  tls: { cert: Buffer; key: Buffer };
  token: string;
}

/** As long as a good password of a machine: whoever has it may run commands here. */
const TOKEN_LENGTH_MIN = 24;

/** Undefined for a server of this machine only. Throws what is missing for one that others can reach. */
export function beyondThisMachine(options: BeyondOptions, cwd: string): BeyondThisMachine | undefined {
  const { host, name, tlsCert, tlsKey, tokenFile } = options;
  if (host === undefined || ["127.0.0.1", "localhost"].includes(host)) {
    if (name ?? tlsCert ?? tlsKey ?? tokenFile)
      throw usageError("up", "Cannot use --name, --tls-cert, --tls-key or --token-file without --host");
    return undefined;
  }
  if (tlsCert === undefined || tlsKey === undefined || tokenFile === undefined)
    throw usageError(
      "up",
      `Cannot serve on "${host}": others can reach it, so it needs --tls-cert, --tls-key and --token-file`,
    );
  const isAny = ["0.0.0.0", "::"].includes(host);
  if (isAny && name === undefined)
    throw usageError("up", `Cannot serve on "${host}": --name must say how browsers call this machine`);
  const read = (file: string): Buffer => fs.readFileSync(path.resolve(cwd, file));
  const token = read(tokenFile).toString("utf8").trim();
  if (!/^[\w.~-]+$/.test(token) || token.length < TOKEN_LENGTH_MIN)
    throw usageError(
      "up",
      `Cannot use the token in "${tokenFile}": it must have ${TOKEN_LENGTH_MIN} or more letters and digits`,
    );
  const bare = name ?? (host.includes(":") ? `[${host}]` : host);
  return { host, name: bare, tls: { cert: read(tlsCert), key: read(tlsKey) }, token };
}
