import fs from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { failingFileOps, tempDir } from "../../test/support/index.ts";
import { acquireLease, findLeaseHolder, type LeaseHolder } from "./lease.ts";
import { leaseRenewalMs, leaseTtlMs } from "./limits.ts";
import { currentProcess } from "./process-identity.ts";

const leaseFile = (): string => path.join(tempDir(), "session.lease");

function plant(file: string, changed: Partial<LeaseHolder>): LeaseHolder {
  const holder = {
    ...currentProcess(),
    token: "0123456789abcdef01234567",
    subject: "old-session",
    ...changed,
  };
  fs.writeFileSync(file, `${JSON.stringify(holder)}\n`);
  return holder;
}

test("acquireLease() names its holder in the file, and release() removes it", () => {
  const file = leaseFile();
  const lease = acquireLease(file, { subject: "s1" });
  expect(lease.holder).toEqual({
    ...currentProcess(),
    token: expect.stringMatching(/^[0-9a-f]{24}$/),
    subject: "s1",
    ttlMs: leaseTtlMs,
  });
  expect(findLeaseHolder(file)).toEqual(lease.holder);
  lease.release();
  lease.release();
  expect([findLeaseHolder(file), fs.readdirSync(path.dirname(file))]).toEqual([undefined, []]);
});

test("acquireLease() throws a conflict that names pid and subject while the holder lives", () => {
  const file = leaseFile();
  const lease = acquireLease(file, { subject: "s1" });
  expect(() => acquireLease(file, { subject: "s2", kind: "session" })).toThrow(
    expect.objectContaining({
      code: "conflict",
      retryable: true,
      message: `Cannot write session "s1": locked by pid ${process.pid}`,
      fields: { pid: process.pid, host: currentProcess().host, subject: "s1", lease: file },
    }),
  );
  lease.release();
  acquireLease(file, { subject: "s2" }).release();
});

test("release() leaves a lease that somebody else has taken meanwhile", () => {
  const file = leaseFile();
  const lease = acquireLease(file, { subject: "s1" });
  fs.unlinkSync(file);
  const other = acquireLease(file, { subject: "s2" });
  lease.release();
  expect(findLeaseHolder(file)).toEqual(other.holder);
  other.release();
});

test.each<[string, Partial<LeaseHolder>]>([
  ["its pid now belongs to another process", { startTime: "1" }],
  ["the machine was started again", { bootId: "another-boot" }],
  ["no process has its pid", { pid: 4_194_999 }],
])("acquireLease() takes the lease over when %s", (_case, changed) => {
  const file = leaseFile();
  plant(file, changed);
  expect(findLeaseHolder(file)).toBeUndefined();
  const lease = acquireLease(file, { subject: "s2" });
  expect([findLeaseHolder(file), fs.readdirSync(path.dirname(file))]).toEqual([
    lease.holder,
    ["session.lease"],
  ]);
  lease.release();
});

const withoutHost = JSON.stringify({ pid: 1, token: "a".repeat(24) });
const wayOut = JSON.stringify({ ...currentProcess(), startTime: "1", token: "/../../out" });
test.each(["", "{", "null", "[]", "not json\n", '{"pid":1}', "\0\0\0\0", withoutHost, wayOut])(
  "acquireLease() takes a damaged lease over: %j",
  (content) => {
    const file = leaseFile();
    fs.writeFileSync(file, content);
    expect(findLeaseHolder(file)).toBeUndefined();
    const lease = acquireLease(file, { subject: "s2" });
    expect([findLeaseHolder(file), fs.readdirSync(path.dirname(file))]).toEqual([
      lease.holder,
      ["session.lease"],
    ]);
    lease.release();
  },
);

test.each<[string, Partial<LeaseHolder>, string]>([
  ["on another host", { host: "far.away", bootId: "b" }, " on host far.away"],
  ["in another container", { pidNamespace: "pid:[1]" }, ""],
])("acquireLease() respects a holder %s, whom it cannot see", (_case, changed, where) => {
  const file = leaseFile();
  const holder = plant(file, { pid: 7, ...changed });
  expect(() => acquireLease(file, { subject: "s2" })).toThrow(
    `Cannot write old-session: locked by pid 7${where}`,
  );
  expect(findLeaseHolder(file)).toEqual(holder);
});

test.each([
  ["its time to live", { ttlMs: leaseTtlMs }, leaseTtlMs],
  ["a day, if an older version wrote it, which renews nothing", {}, 24 * 60 * 60 * 1000],
])("acquireLease() takes a lease whose holder cannot be seen after %s", (_case, changed, ttlMs) => {
  const file = leaseFile();
  plant(file, { pid: 7, pidNamespace: "pid:[1]", ...changed });
  const ageBy = (ms: number): void => fs.utimesSync(file, new Date(), new Date(Date.now() - ms));
  ageBy(ttlMs - 60_000);
  const until = new Date(fs.statSync(file).mtimeMs + ttlMs).toISOString();
  expect(() => acquireLease(file, { subject: "s2" })).toThrow(
    `locked by pid 7, which cannot be seen from here; the lease holds until ${until} unless it is renewed`,
  );
  ageBy(ttlMs + 60_000);
  expect(findLeaseHolder(file)).toBeUndefined();
  acquireLease(file, { subject: "s2" }).release();
});

test("acquireLease() renews the lease until it is released, and never somebody else's", () => {
  const file = leaseFile();
  vi.useFakeTimers();
  using _ = { [Symbol.dispose]: () => void vi.useRealTimers() };
  const lease = acquireLease(file, { subject: "s1" });
  const isRenewed = (): boolean => {
    fs.utimesSync(file, 0, 0);
    vi.advanceTimersByTime(leaseRenewalMs);
    return fs.statSync(file).mtimeMs > 0;
  };
  expect(isRenewed()).toBe(true);
  plant(file, { token: "f".repeat(24) });
  expect(isRenewed()).toBe(false);
  fs.writeFileSync(file, `${JSON.stringify(lease.holder)}\n`);
  lease.release();
  plant(file, lease.holder);
  expect(isRenewed()).toBe(false);
  fs.unlinkSync(file);
});

test("acquireLease() waits for nobody: a burial in the hands of a live process is a conflict", () => {
  const file = leaseFile();
  const dead = plant(file, { startTime: "1" });
  const burial = acquireLease(`${file}.${dead.token}`, { subject: "old-session" });
  expect(() => acquireLease(file, { subject: "s2" })).toThrow(expect.objectContaining({ code: "conflict" }));
  burial.release();
  acquireLease(file, { subject: "s2" }).release();
});

test("acquireLease() buries a dead burial too, and leaves no litter", () => {
  const file = leaseFile();
  const dead = plant(file, { startTime: "1" });
  const deadBurial = plant(`${file}.${dead.token}`, { startTime: "2", token: "b".repeat(24) });
  plant(`${file}.${dead.token}.${deadBurial.token}`, { startTime: "3", token: "c".repeat(24) });
  const lease = acquireLease(file, { subject: "s2" });
  expect(fs.readdirSync(path.dirname(file))).toEqual(["session.lease"]);
  lease.release();
});

test.each(["open", "write", "link"] as const)(
  "acquireLease() holds nothing when %s fails, so that the next call gets it",
  (call) => {
    const file = leaseFile();
    const { files } = failingFileOps(1, { call, error: "EIO" });
    expect(() => acquireLease(file, { subject: "s1", files })).toThrow("EIO");
    acquireLease(file, { subject: "s1" }).release();
  },
);

test("acquireLease() waits for no disk", () => {
  const { files, calls } = failingFileOps(Infinity, { call: "sync", error: "EIO" });
  acquireLease(leaseFile(), { subject: "s1", files }).release();
  expect(calls()).toBe(0);
});

test("acquireLease() throws what the system says when the folder is missing", () => {
  expect(() => acquireLease(path.join(tempDir(), "missing", "x.lease"), { subject: "s" })).toThrow(
    expect.objectContaining({ code: "ENOENT" }),
  );
});
