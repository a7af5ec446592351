import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { serverFetchTimeoutMs, serverPackageBytesMax } from "./limits.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { tempName } from "../../lib/temp-name.ts";
import { fleetError } from "../errors.ts";
import { findNatsServer, type NatsServer } from "./find-nats-server.ts";

const run = promisify(execFile);
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
/** The suite that always carries a new server; its package file runs on older ones, too. */
const SUITE = "sid";

/**
 * Takes a nats-server from the pool of the machine's own apt source, without installing it: the suite's signed list of
 * files names the list of packages, that names the package, each by its checksum. Throws `fleet_server_missing` with the
 * reason where that is not possible.
 */
export async function fetchNatsServer({ cacheDir }: { cacheDir: string }): Promise<NatsServer> {
  try {
    ensurePrivateDir(cacheDir);
    const dir = fs.mkdtempSync(path.join(cacheDir, "fetch-"));
    try {
      const binary = await fetchInto(dir);
      // A second one who fetches at the same time puts the same file there.
      const target = path.join(cacheDir, "nats-server");
      const draft = tempName(target);
      fs.copyFileSync(binary, draft);
      fs.chmodSync(draft, 0o700);
      fs.renameSync(draft, target);
    } finally {
      fs.rmSync(dir, { recursive: true, force: true });
    }
    const found = await findNatsServer({ cacheDir });
    if (found) return found;
    throw new Error("the fetched one does not run here");
  } catch (cause) {
    throw fleetError("fleet_server_missing", `Cannot fetch a nats-server: ${(cause as Error).message}`, {
      cause,
    });
  }
}

async function fetchInto(dir: string): Promise<string> {
  const { stdout: arch } = await command("dpkg", ["--print-architecture"]);
  const list = `main/binary-${arch.trim()}/Packages.xz`;
  const source = await findSource(dir);
  const packages = await download(`${source.base}dists/${SUITE}/${list}`, {
    file: path.join(dir, "Packages.xz"),
    sha256: sha256Of(source.release, list),
  });
  const { stdout: text } = await command("xz", ["-dc", packages], { maxBuffer: 1024 * 1024 * 1024 });
  const { file, sha256 } = parsePackage(text);
  const deb = await download(source.base + file, { file: path.join(dir, "server.deb"), sha256 });
  const tree = path.join(dir, "tree");
  await command("dpkg-deb", ["-x", deb, tree]);
  const binary = ["usr/sbin/nats-server", "usr/bin/nats-server"]
    .map((name) => path.join(tree, name))
    .find((name) => fs.existsSync(name));
  if (binary === undefined) throw new Error("the package holds no nats-server");
  return binary;
}

// Of the machine's sources, the first that carries the suite and whose list is signed by Debian's keys.
async function findSource(dir: string): Promise<{ base: string; release: string }> {
  const { stdout } = await command("apt-get", ["indextargets", "--format", "$(REPO_URI)"]);
  const bases = [...new Set(stdout.split("\n").filter((line) => /^https?:/.test(line)))];
  let why = "this machine has no apt source";
  for (const base of bases) {
    try {
      const file = await download(`${base}dists/${SUITE}/InRelease`, { file: path.join(dir, "InRelease") });
      await command("gpgv", ["--quiet", "--keyring", KEYRING, file]);
      return { base, release: fs.readFileSync(file, "utf8") };
    } catch (error) {
      why = `no apt source of this machine gives a signed list of "${SUITE}" (${(error as Error).message.split("\n")[0]})`;
    }
  }
  throw new Error(why);
}

function sha256Of(release: string, name: string): string {
  const sums = release.slice(release.indexOf("\nSHA256:"));
  const line = sums.split("\n").find((each) => each.endsWith(` ${name}`));
  const [sha256] = line?.trim().split(/\s+/) ?? [];
  if (sha256?.length !== 64) throw new Error(`the list of "${SUITE}" does not name ${name}`);
  return sha256;
}

/** What the list of packages says of ours. */
export function parsePackage(text: string): { file: string; sha256: string } {
  const start = text.indexOf("Package: nats-server\n");
  const stanza = start < 0 ? "" : text.slice(start, text.indexOf("\n\n", start));
  const file = /^Filename: ([\w./+~-]+)$/m.exec(stanza)?.[1];
  const sha256 = /^SHA256: ([0-9a-f]{64})$/m.exec(stanza)?.[1];
  if (file === undefined || sha256 === undefined || file.includes(".."))
    throw new Error("the list of packages names no nats-server");
  return { file, sha256 };
}

async function download(url: string, { file, sha256 }: { file: string; sha256?: string }): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(serverFetchTimeoutMs) });
  if (!response.ok) throw new Error(`the answer was ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length > serverPackageBytesMax) throw new Error(`${bytes.length} bytes are more than expected`);
  if (sha256 !== undefined && createHash("sha256").update(bytes).digest("hex") !== sha256)
    throw new Error("a file does not have the checksum that its list names");
  fs.writeFileSync(file, bytes, { mode: 0o600 });
  return file;
}

async function command(
  name: string,
  args: string[],
  options: { maxBuffer?: number } = {},
): Promise<{ stdout: string }> {
  try {
    return await run(name, args, { timeout: serverFetchTimeoutMs, ...options });
  } catch (error) {
    const why = (error as { code?: unknown }).code === "ENOENT" ? "is not installed" : "failed";
    throw new Error(`${name} ${why}`, { cause: error });
  }
}
